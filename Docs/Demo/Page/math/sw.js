// Keeps the game for times without a network. `Docs/Demo/build` fills in the version, which is a sum over
// all files, and their names. A page goes on with the files that it began with: a newer version waits until no
// page of the older one is open.

const version = "VERSION";
const files = ["FILES"];

self.addEventListener("install", (event) => {
  event.waitUntil(
    caches.open(version)
      .then((cache) => cache.addAll(files.map((file) => new Request(file, { cache: "reload" })))),
  );
});

self.addEventListener("activate", (event) => {
  event.waitUntil(
    caches.keys()
      .then((names) => Promise.all(
        names.filter((name) => name.startsWith("dice-math-") && name !== version)
          .map((name) => caches.delete(name)),
      ))
      .then(() => self.clients.claim()),
  );
});

self.addEventListener("fetch", (event) => {
  if (event.request.method !== "GET") return;
  event.respondWith(
    caches.open(version)
      .then((cache) => cache.match(event.request, { ignoreSearch: true }))
      .catch(() => null)
      .then((kept) => kept ?? fetch(event.request)),
  );
});
