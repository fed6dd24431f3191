fetch(self.location.search.slice(1), { mode: "no-cors" }).catch(() => undefined);
self.addEventListener("install", (event) => event.waitUntil(fetch(self.location.search.slice(1), { mode: "no-cors" }).catch(() => undefined)));
