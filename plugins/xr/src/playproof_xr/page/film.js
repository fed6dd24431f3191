// Film: pictures of canvases put one over the other, encoded on the virtual clock. It comes before the gate, whose books of who reads
// which pixels it does not enter. Nothing is made until somebody films.
const Canvas = window.OffscreenCanvas, Encoder = window.VideoEncoder, Picture = window.VideoFrame, Bytes = Uint8Array;
const contextOfCanvas = Canvas && uncurry(Canvas.prototype.getContext);
const encode = Encoder && uncurry(Encoder.prototype.encode);
const configure = Encoder && uncurry(Encoder.prototype.configure);
const flush = Encoder && uncurry(Encoder.prototype.flush);
const copyTo = window.EncodedVideoChunk && uncurry(EncodedVideoChunk.prototype.copyTo);
const closePicture = Picture && uncurry(Picture.prototype.close);
const toBase64 = btoa.bind(window);
const characterOf = String.fromCharCode;
const brush = {}; // the methods of a 2D context, as they were before the page ran
if (Canvas) {
  const proto = OffscreenCanvasRenderingContext2D.prototype;
  for (const name of ["drawImage", "fillRect", "clearRect", "beginPath", "moveTo", "lineTo", "arc", "stroke", "fill", "fillText"]) brush[name] = uncurry(proto[name]);
  for (const name of ["fillStyle", "strokeStyle", "lineWidth", "lineCap", "globalAlpha", "font"]) brush["set " + name] = setter(proto, name);
}
const MICROSECONDS = 1e6 / 90_000;

const layer = (width, height) => {
  const canvas = new Canvas(width, height);
  const context = contextOfCanvas(canvas, "2d");
  brush["set lineCap"](context, "round");
  brush["set font"](context, "bold 14px monospace");
  return { canvas, context, width, height };
};

// One film: `frame` takes what its picture shows at a tick. A key frame comes every `keys` frames.
const makeFilm = (view, width, height, bitrate, keys) => {
  const film = { view, picture: layer(width, height), count: 0, at: 0, chunks: makeQueue(), fault: "" };
  const encoder = new Encoder({
    output: (chunk) => void film.chunks.push({ at: chunk.timestamp, key: chunk.type === "key", base64: base64Of(chunk) }),
    error: (error) => void (film.fault = textOf(error)),
  });
  configure(encoder, { codec: "vp8", width, height, bitrate, latencyMode: "quality" });
  const put = (tick, key) => {
    if (film.fault) return;
    const picture = new Picture(film.picture.canvas, { timestamp: tick * MICROSECONDS, alpha: "discard" });
    encode(encoder, picture, { keyFrame: key });
    closePicture(picture);
    film.at = tick;
  };
  film.frame = (tick) => put(tick, film.count++ % keys === 0);
  film.close = (tick) => {
    if (film.count > 0 && tick > film.at) put(tick, true);
  };
  film.flush = () => flush(encoder);
  return film;
};
const base64Of = (chunk) => {
  const bytes = new Bytes(chunk.byteLength);
  copyTo(chunk, bytes);
  let text = "";
  for (let index = 0; index < chunk.byteLength; index++) text += characterOf(bytes[index]);
  return toBase64(text);
};

// What has been encoded since somebody asked: JSON.
const takeChunks = (film) => {
  let text = "";
  for (let at = film.chunks.first; at; at = at.next) {
    const { at: time, key, base64 } = at.value;
    text += (text ? "," : "") + '{"at_us":' + time + ',"key":' + key + ',"base64":"' + base64 + '"}';
  }
  film.chunks = makeQueue();
  return '{"view":"' + film.view + '","fault":' + stringify(film.fault) + ',"chunks":[' + text + "]}";
};

// --- rods: all that is drawn of a body ---

// Round-ended, { a, b, radius, colour } in the session's frame, drawn farthest first by their true thickness. `eye` is as viewOf gives it.
const NEAREST = 0.03;
const drawRods = (into, rods, eye) => {
  const seen = makeQueue();
  for (let at = rods.first; at; at = at.next) {
    const { a, b, radius, colour } = at.value;
    const one = toEye(a[0], a[1], a[2], eye), other = toEye(b[0], b[1], b[2], eye);
    const depth = -(one[2] + other[2]) / 2;
    if (-one[2] > NEAREST && -other[2] > NEAREST) insertByDepth(seen, { one, other, depth, radius, colour });
  }
  const half = into.height / 2, scale = half / eye.slope;
  const x = (point) => into.width / 2 + (point[0] / -point[2]) * scale;
  const y = (point) => half - (point[1] / -point[2]) * scale;
  const line = (rod, colour, width) => {
    brush["set strokeStyle"](into.context, colour);
    brush["set lineWidth"](into.context, width);
    brush.beginPath(into.context);
    brush.moveTo(into.context, x(rod.one), y(rod.one));
    brush.lineTo(into.context, x(rod.other), y(rod.other) + 0.01); // a line of no length is not drawn
    brush.stroke(into.context);
  };
  for (let at = seen.first; at; at = at.next) {
    const width = max(1.5, (2 * at.value.radius * scale) / at.value.depth);
    line(at.value, "#1c1410", width + 1.5);
    line(at.value, at.value.colour, width);
  }
};
const insertByDepth = (queue, value) => {
  if (!queue.first || queue.first.value.depth <= value.depth) {
    queue.first = { value, next: queue.first };
    return;
  }
  let at = queue.first;
  while (at.next && at.next.value.depth > value.depth) at = at.next;
  at.next = { value, next: at.next };
};
