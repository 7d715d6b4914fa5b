// The least module with a vector of 128 bits.
const least = [
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
];

/** Whether this browser runs the modules: it needs WebAssembly with 128-bit vectors. */
export function hasVectors() {
  return globalThis.WebAssembly?.validate?.(Uint8Array.from(least)) ?? false;
}
