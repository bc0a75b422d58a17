// A value on disk is preceded by a checksum of its key and content: a database checks neither, and damaged JSON may
// still be JSON.

const sealSize = 4;

/** The table of CRC-32 (IEEE 802.3); Node has the function from version 22 on. */
const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = (value & 1) === 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

/** Returns the value with its checksum, as it is stored. */
export function sealed(key: Buffer, value: Buffer): Buffer {
  const stored = Buffer.allocUnsafe(sealSize + value.byteLength);
  stored.writeUInt32LE(checksum(key, value));
  value.copy(stored, sealSize);
  return stored;
}

/** Returns the value that was sealed; `undefined` when it or its key is damaged. */
export function unsealed(key: Buffer, stored: Buffer): Buffer | undefined {
  if (stored.byteLength < sealSize) return undefined;
  const value = stored.subarray(sealSize);
  return stored.readUInt32LE() === checksum(key, value) ? value : undefined;
}

function checksum(key: Buffer, value: Buffer): number {
  return ~crc(value, crc(key, -1)) >>> 0;
}

function crc(bytes: Buffer, start: number): number {
  let value = start;
  // By index: an iterator would cost ten times as much, and every write pays for this.
  for (let at = 0; at < bytes.length; at++)
    value = (table[(value ^ (bytes[at] ?? 0)) & 255] ?? 0) ^ (value >>> 8);
  return value;
}
