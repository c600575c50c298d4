/** What the page uses of TweetNaCl.js, which is loaded beside it. */
declare namespace nacl {
  function randomBytes(length: number): Uint8Array;
  function hash(message: Uint8Array): Uint8Array;
  function scalarMult(own: Uint8Array, other: Uint8Array): Uint8Array;
  function secretbox(message: Uint8Array, nonce: Uint8Array, key: Uint8Array): Uint8Array;
  namespace secretbox {
    function open(box: Uint8Array, nonce: Uint8Array, key: Uint8Array): Uint8Array | null;
  }
  namespace box {
    function keyPair(): { publicKey: Uint8Array; secretKey: Uint8Array };
  }
}
