/** What the page uses of fast-sha256, which is loaded beside it. */
declare function sha256(message: Uint8Array): Uint8Array;
