// The sample throw: motion JPEG, pictures one after another in one file.

/** The JPEG pictures of a film. */
export function pictures(bytes) {
  const found = [];
  let start = -1;
  for (let at = 0; at + 1 < bytes.length; at += 1) {
    if (bytes[at] !== 0xff) continue;
    if (bytes[at + 1] === 0xd8) start = at;
    if (bytes[at + 1] === 0xd9 && start >= 0) {
      found.push(new Blob([bytes.subarray(start, at + 2)], { type: "image/jpeg" }));
      start = -1;
    }
  }
  return found;
}
