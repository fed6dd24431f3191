// What a page does that a report should tell: it asks a person for a permission, or loses its WebGL context.
const seen = { permissions: "", lost: 0, restored: 0 };
const tellPermission = (what) => {
  const padded = ";" + seen.permissions + ";";
  if (!includes(padded, ";" + what + ";")) seen.permissions += (seen.permissions ? ";" : "") + what;
};
const includes = uncurry(String.prototype.includes);
function noticePermissions() {
  const asking = (type, what, ...names) => {
    if (!window[type]) return;
    for (const name of names) {
      replace(window[type].prototype, name, { apply: (target, self, args) => (tellPermission(what), apply(target, self, args)) }, "permission");
    }
  };
  asking("MediaDevices", "camera or microphone", "getUserMedia");
  asking("MediaDevices", "screen", "getDisplayMedia");
  asking("Geolocation", "geolocation", "getCurrentPosition", "watchPosition");
  asking("Navigator", "MIDI", "requestMIDIAccess");
  asking("Bluetooth", "bluetooth", "requestDevice");
  if (window.Notification) {
    replace(Notification, "requestPermission", { apply: (target, self, args) => (tellPermission("notifications"), apply(target, self, args)) }, "permission");
  }
}
noticePermissions();
listen(window, "webglcontextlost", () => void seen.lost++, true);
listen(window, "webglcontextrestored", () => void seen.restored++, true);
