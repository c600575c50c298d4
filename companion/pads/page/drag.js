// Dragging: a picked-up piece follows the finger, slightly above it so that the piece stays visible.

import { make } from "/parts.js";

/** Minimum length of a drag, in pixels. A shorter movement is a touch. */
const A_DRAG = 8;

/** @template Held */
export class Drag {
  /**
   * @param {HTMLElement} root
   * @param {{grasp: (pressed: Element) => Held | null, draw: (held: Held) => Node,
   *   below: (found: Element | null) => Element | null, drop: (held: Held, on: Element | null) => void}} hands
   * `grasp` returns the piece at a pressed element, `draw` its picture, and `below` the drop target at an element;
   * `drop` handles the end of the drag
   */
  constructor(root, hands) {
    this.root = root;
    this.hands = hands;
    /** @type {{x: number, y: number, held: Held, ghost: HTMLElement | null} | null} */
    this.going = null;
    /** Whether the latest press was a drag. The click after a drag is ignored. */
    this.wasDrag = false;
    root.addEventListener("pointerdown", (event) => event.isPrimary && this.press(event));
    root.addEventListener("pointermove", (event) => event.isPrimary && this.carry(event));
    root.addEventListener("pointerup", (event) => event.isPrimary && this.release(event));
    root.addEventListener("pointercancel", () => this.end());
  }

  /** @param {PointerEvent} event */
  press(event) {
    this.wasDrag = false;
    const pressed = /** @type {Element} */ (event.target);
    const held = this.hands.grasp(pressed);
    if (!held) return;
    this.going = { x: event.clientX, y: event.clientY, held, ghost: null };
    pressed.setPointerCapture(event.pointerId);
  }

  /** @param {PointerEvent} event */
  carry(event) {
    const { going } = this;
    if (!going) return;
    if (!going.ghost) {
      if (Math.hypot(event.clientX - going.x, event.clientY - going.y) < A_DRAG) return;
      this.wasDrag = true;
      going.ghost = make("div", { class: "ghost" }, this.hands.draw(going.held));
      this.root.append(going.ghost);
    }
    going.ghost.style.transform = `translate(${event.clientX}px, ${event.clientY}px)`;
    for (const each of this.root.querySelectorAll(".target")) each.classList.remove("target");
    this.below(event)?.classList.add("target");
  }

  /** @param {PointerEvent} event */
  release(event) {
    const { going } = this;
    const on = this.below(event);
    this.end();
    if (going?.ghost) this.hands.drop(going.held, on);
  }

  end() {
    this.going?.ghost?.remove();
    this.going = null;
  }

  /** @param {PointerEvent} event */
  below(event) {
    return this.hands.below(document.elementFromPoint(event.clientX, event.clientY));
  }
}
