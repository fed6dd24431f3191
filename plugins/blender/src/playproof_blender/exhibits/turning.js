/* A binary glTF that a person can turn: drag or arrow keys turn, wheel, pinch or + and - come closer, 0 goes back.

   It reads what Blender's exporter writes: triangles with normals and one set of texture coordinates, nodes, base colours and pictures,
   metal, roughness, glow, transparency. Whatever else a file holds, or breaks, is left out or told; text of the file is never put into
   the page. One drawing context for each figure that is in sight. */
"use strict";
(() => {
  const SIZES = { 5120: 1, 5121: 1, 5122: 2, 5123: 2, 5125: 4, 5126: 4 };
  const ARRAYS = { 5120: Int8Array, 5121: Uint8Array, 5122: Int16Array, 5123: Uint16Array, 5125: Uint32Array, 5126: Float32Array };
  const WIDTHS = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT4: 16 };
  const MOST_DRAWN = 20000, DEEPEST = 200;

  /* --- the file --- */

  const bytesOf = (base64) => Uint8Array.from(atob(base64), (one) => one.charCodeAt(0));

  function opened(bytes) {
    const view = new DataView(bytes.buffer);
    if (view.getUint32(0, true) !== 0x46546c67 || view.getUint32(4, true) !== 2) throw new Error("no binary glTF 2");
    const length = view.getUint32(12, true);
    const head = JSON.parse(new TextDecoder().decode(bytes.subarray(20, 20 + length)));
    const rest = 20 + length;
    const body = rest + 8 <= bytes.length ? bytes.slice(rest + 8, rest + 8 + view.getUint32(rest, true)) : new Uint8Array(0);
    return { head, body };
  }

  /* Numbers of an accessor, packed one after another. */
  function numbers({ head, body }, index) {
    const accessor = head.accessors[index], width = WIDTHS[accessor.type], kind = ARRAYS[accessor.componentType];
    const view = head.bufferViews[accessor.bufferView], size = SIZES[accessor.componentType] * width;
    const start = (view.byteOffset || 0) + (accessor.byteOffset || 0), stride = view.byteStride || size;
    if (start + stride * (accessor.count - 1) + size > body.length) throw new Error("the file is shorter than it says");
    const found = new kind(accessor.count * width), raw = new Uint8Array(found.buffer);
    for (let at = 0; at < accessor.count; at++) raw.set(body.subarray(start + at * stride, start + at * stride + size), at * size);
    return found;
  }

  function pictureOf({ head, body }, texture) {
    const image = head.images[head.textures[texture.index].source], view = head.bufferViews[image.bufferView];
    const start = view.byteOffset || 0;
    return createImageBitmap(new Blob([body.subarray(start, start + view.byteLength)], { type: image.mimeType }));
  }

  /* --- matrices: sixteen numbers by columns --- */

  const times = (a, b) => Float32Array.from({ length: 16 }, (_, at) =>
    [0, 1, 2, 3].reduce((sum, k) => sum + a[k * 4 + (at % 4)] * b[(at >> 2) * 4 + k], 0));

  function placed(node) {
    if (node.matrix) return Float32Array.from(node.matrix);
    const [x, y, z, w] = node.rotation || [0, 0, 0, 1], s = node.scale || [1, 1, 1], t = node.translation || [0, 0, 0];
    const turn = [1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w), 2 * (x * y - z * w), 1 - 2 * (x * x + z * z),
      2 * (y * z + x * w), 2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y)];
    return Float32Array.from([...turn.slice(0, 3).map((n) => n * s[0]), 0, ...turn.slice(3, 6).map((n) => n * s[1]), 0,
      ...turn.slice(6).map((n) => n * s[2]), 0, ...t, 1]);
  }

  const moved = (m, p) => [0, 1, 2].map((row) => m[row] * p[0] + m[4 + row] * p[1] + m[8 + row] * p[2] + m[12 + row]);

  /* Each mesh that is drawn, with where: [{mesh, matrix}]. */
  function shown(head) {
    let visited = 0;
    const found = [], scene = (head.scenes || [])[head.scene || 0] || { nodes: [] };
    const walk = (index, above, depth) => {
      const node = head.nodes[index], matrix = times(above, placed(node));
      if (depth > DEEPEST || found.length >= MOST_DRAWN || ++visited > 10 * MOST_DRAWN) return;
      if (node.mesh !== undefined) found.push({ mesh: node.mesh, matrix });
      for (const child of node.children || []) walk(child, matrix, depth + 1);
    };
    const upright = Float32Array.from([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]);
    for (const index of scene.nodes || []) walk(index, upright, 0);
    return found;
  }

  /* The ball around what is drawn: by corners of accessors, of which a far-off ground does not make everything tiny. */
  function ball({ head }, drawn) {
    const boxes = drawn.map(({ mesh, matrix }) => {
      const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
      for (const part of head.meshes[mesh].primitives) {
        const { min, max } = head.accessors[part.attributes.POSITION];
        for (let corner = 0; corner < 8; corner++) {
          const point = moved(matrix, [0, 1, 2].map((k) => (corner >> k & 1 ? max : min)[k]));
          point.forEach((n, k) => { low[k] = Math.min(low[k], n); high[k] = Math.max(high[k], n); });
        }
      }
      return { low, high, size: Math.hypot(...low.map((n, k) => high[k] - n)) };
    }).filter((box) => Number.isFinite(box.size));
    const sizes = boxes.map((box) => box.size).sort((a, b) => a - b), usual = sizes[Math.floor(sizes.length * 0.9)] || 1;
    const kept = boxes.filter((box) => box.size <= 6 * usual);
    const low = [0, 1, 2].map((k) => Math.min(...kept.map((box) => box.low[k])));
    const high = [0, 1, 2].map((k) => Math.max(...kept.map((box) => box.high[k])));
    return { middle: low.map((n, k) => (n + high[k]) / 2), radius: Math.hypot(...low.map((n, k) => high[k] - n)) / 2 || 1 };
  }

  /* --- drawing --- */

  const VERTEX = `#version 300 es
    uniform mat4 world, seen; in vec3 position; in vec3 normal; in vec2 uv; out vec3 there, upright; out vec2 at;
    void main() { vec4 p = world * vec4(position, 1.0); there = p.xyz; upright = mat3(world) * normal; at = uv; gl_Position = seen * p; }`;
  const FRAGMENT = `#version 300 es
    precision highp float; uniform vec4 base; uniform vec3 glow, eye; uniform float metal, rough; uniform bool pictured, masked;
    uniform sampler2D picture; in vec3 there, upright; in vec2 at; out vec4 shown;
    vec3 linear(vec3 c) { return pow(c, vec3(2.2)); }
    void main() {
      vec4 own = base; if (pictured) { vec4 t = texture(picture, at); own *= vec4(linear(t.rgb), t.a); }
      if (masked && own.a < 0.5) discard;
      vec3 v = normalize(eye - there), n = normalize(length(upright) > 0.0 ? upright : cross(dFdx(there), dFdy(there)));
      if (dot(n, v) < 0.0) n = -n;
      vec3 key = normalize(v + vec3(0.4, 0.9, 0.3)), h = normalize(key + v);
      float sky = 0.5 + 0.5 * n.y, shine = pow(max(dot(n, h), 0.0), mix(80.0, 4.0, rough)) * mix(0.7, 0.04, rough);
      vec3 light = vec3(0.28) * mix(vec3(0.8, 0.75, 0.7), vec3(1.0, 1.05, 1.12), sky) + 0.85 * max(dot(n, key), 0.0);
      vec3 c = own.rgb * light * mix(1.0, 0.75, metal) + shine * mix(vec3(1.0), own.rgb, metal) + glow;
      shown = vec4(pow(min(c, vec3(1.0)), vec3(1.0 / 2.2)), own.a);
    }`;

  function program(gl) {
    const made = gl.createProgram();
    for (const [kind, text] of [[gl.VERTEX_SHADER, VERTEX], [gl.FRAGMENT_SHADER, FRAGMENT]]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, text);
      gl.compileShader(shader);
      gl.attachShader(made, shader);
    }
    ["position", "normal", "uv"].forEach((name, at) => gl.bindAttribLocation(made, at, name));
    gl.linkProgram(made);
    if (!gl.getProgramParameter(made, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(made));
    const names = ["world", "seen", "base", "glow", "eye", "metal", "rough", "pictured", "masked", "picture"];
    return { made, at: Object.fromEntries(names.map((name) => [name, gl.getUniformLocation(made, name)])) };
  }

  function partOf(gl, file, part) {
    const own = gl.createVertexArray();
    gl.bindVertexArray(own);
    [["POSITION", 3], ["NORMAL", 3], ["TEXCOORD_0", 2]].forEach(([name, width], at) => {
      const index = part.attributes[name];
      if (index === undefined || !(numbers(file, index) instanceof Float32Array)) return;
      gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
      gl.bufferData(gl.ARRAY_BUFFER, numbers(file, index), gl.STATIC_DRAW);
      gl.enableVertexAttribArray(at);
      gl.vertexAttribPointer(at, width, gl.FLOAT, false, 0, 0);
    });
    let count = file.head.accessors[part.attributes.POSITION].count, indexed = false;
    if (part.indices !== undefined) {
      const order = Uint32Array.from(numbers(file, part.indices));
      if (order.some((one) => one >= count)) throw new Error("the file names corners that are not there");
      gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
      gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, order, gl.STATIC_DRAW);
      [count, indexed] = [order.length, true];
    }
    return { own, count, indexed, look: lookOf((file.head.materials || [])[part.material] || {}) };
  }

  function lookOf(material) {
    const pbr = material.pbrMetallicRoughness || {}, more = material.extensions || {};
    const base = [...(pbr.baseColorFactor || [1, 1, 1, 1])];
    const through = (more.KHR_materials_transmission || {}).transmissionFactor || 0;
    base[3] *= 1 - 0.65 * through;
    const strength = Math.min(4, (more.KHR_materials_emissive_strength || {}).emissiveStrength || 1);
    return { base, texture: pbr.baseColorTexture, metal: pbr.metallicFactor ?? 1, rough: pbr.roughnessFactor ?? 1,
      glow: (material.emissiveFactor || [0, 0, 0]).map((n) => n * strength), masked: material.alphaMode === "MASK",
      clear: base[3] < 0.99 || material.alphaMode === "BLEND" };
  }

  function pictured(gl, file, parts, redraw) {
    const known = new Map();
    for (const { look } of parts) {
      if (!look.texture) continue;
      const index = look.texture.index;
      if (!known.has(index)) known.set(index, pictureOf(file, look.texture).then((bitmap) => {
        const made = gl.createTexture();
        gl.bindTexture(gl.TEXTURE_2D, made);
        gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, bitmap);
        gl.generateMipmap(gl.TEXTURE_2D);
        return made;
      }));
      known.get(index).then((made) => { look.picture = made; redraw(); }, () => {});
    }
  }

  const WIDE = Math.PI / 5;
  const START = { around: 0.6, over: 0.35, near: 1 };

  class Turned {
    constructor(canvas, bytes) {
      const gl = this.gl = canvas.getContext("webgl2", { antialias: true });
      if (!gl) throw new Error("this browser draws no WebGL");
      this.canvas = canvas;
      const file = opened(bytes), drawn = shown(file.head);
      this.ball = ball(file, drawn);
      this.program = program(gl);
      const meshes = new Map();
      this.things = drawn.flatMap(({ mesh, matrix }) => {
        if (!meshes.has(mesh)) meshes.set(mesh, file.head.meshes[mesh].primitives.filter((one) => (one.mode ?? 4) === 4)
          .map((one) => partOf(gl, file, one)));
        return meshes.get(mesh).map((part) => ({ ...part, matrix }));
      });
      if (!this.things.length) throw new Error("nothing is in it");
      pictured(gl, file, [...meshes.values()].flat(), () => this.ask());
      Object.assign(this, START);
      this.ask();
    }

    ask() { this.asked ??= requestAnimationFrame(() => { this.asked = undefined; this.draw(); }); }

    turn(around, over) {
      this.around += around;
      this.over = Math.max(-1.5, Math.min(1.5, this.over + over));
      this.ask();
    }

    come(factor) { this.near = Math.max(0.15, Math.min(4, this.near * factor)); this.ask(); }

    back() { Object.assign(this, START); this.ask(); }

    eye() {
      const { middle, radius } = this.ball, wide = Math.min(1, this.canvas.width / this.canvas.height);
      const far = this.near * radius / Math.sin(Math.atan(Math.tan(WIDE / 2) * wide));
      const level = Math.cos(this.over);
      return middle.map((n, k) => n + far * [Math.sin(this.around) * level, Math.sin(this.over), Math.cos(this.around) * level][k]);
    }

    seen(eye) {
      const { middle, radius } = this.ball, unit = (v) => v.map((n) => n / (Math.hypot(...v) || 1));
      const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
      const dot = (a, b) => a.reduce((sum, n, k) => sum + n * b[k], 0);
      const z = unit(eye.map((n, k) => n - middle[k])), x = unit(cross([0, 1, 0], z)), y = cross(z, x);
      const view = [x[0], y[0], z[0], 0, x[1], y[1], z[1], 0, x[2], y[2], z[2], 0, -dot(x, eye), -dot(y, eye), -dot(z, eye), 1];
      const far = Math.hypot(...eye.map((n, k) => n - middle[k])) + 12 * radius, close = radius / 200;
      const lens = 1 / Math.tan(WIDE / 2);
      return times([lens * this.canvas.height / this.canvas.width, 0, 0, 0, 0, lens, 0, 0, 0, 0, (far + close) / (close - far), -1,
        0, 0, 2 * far * close / (close - far), 0], view);
    }

    draw() {
      const { gl, canvas, program: { made, at } } = this, sharp = Math.min(2, devicePixelRatio || 1);
      canvas.width = Math.max(1, canvas.clientWidth * sharp);
      canvas.height = Math.max(1, canvas.clientHeight * sharp);
      gl.viewport(0, 0, canvas.width, canvas.height);
      gl.clearColor(0.93, 0.93, 0.92, 1);
      gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
      gl.enable(gl.DEPTH_TEST);
      gl.useProgram(made);
      const eye = this.eye();
      gl.uniformMatrix4fv(at.seen, false, this.seen(eye));
      gl.uniform3fv(at.eye, eye);
      gl.disable(gl.BLEND);
      for (const thing of this.things) if (!thing.look.clear) this.paint(thing);
      gl.enable(gl.BLEND);
      gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
      gl.depthMask(false);
      for (const thing of this.things) if (thing.look.clear) this.paint(thing);
      gl.depthMask(true);
      canvas.dataset.drawn = String(Number(canvas.dataset.drawn || 0) + 1);
    }

    paint({ own, count, indexed, matrix, look }) {
      const { gl, program: { at } } = this;
      gl.uniformMatrix4fv(at.world, false, matrix);
      gl.uniform4fv(at.base, look.base);
      gl.uniform3fv(at.glow, look.glow);
      gl.uniform1f(at.metal, look.metal);
      gl.uniform1f(at.rough, look.rough);
      gl.uniform1i(at.masked, look.masked ? 1 : 0);
      gl.uniform1i(at.pictured, look.picture ? 1 : 0);
      gl.bindTexture(gl.TEXTURE_2D, look.picture || null);
      gl.bindVertexArray(own);
      if (indexed) gl.drawElements(gl.TRIANGLES, count, gl.UNSIGNED_INT, 0);
      else gl.drawArrays(gl.TRIANGLES, 0, count);
    }

    end() { this.gl.getExtension("WEBGL_lose_context")?.loseContext(); }
  }

  /* --- hands --- */

  const KEYS = { ArrowLeft: (one) => one.turn(-0.15, 0), ArrowRight: (one) => one.turn(0.15, 0), ArrowUp: (one) => one.turn(0, 0.1),
    ArrowDown: (one) => one.turn(0, -0.1), "+": (one) => one.come(0.85), "=": (one) => one.come(0.85), "-": (one) => one.come(1.18),
    0: (one) => one.back() };

  function handled(canvas, turned) {
    const down = new Map();
    const apart = () => { const [a, b] = [...down.values()]; return Math.hypot(a[0] - b[0], a[1] - b[1]) || 1; };
    canvas.addEventListener("pointerdown", (event) => { down.set(event.pointerId, [event.x, event.y]); canvas.setPointerCapture(event.pointerId); });
    canvas.addEventListener("pointermove", (event) => {
      const before = down.get(event.pointerId);
      if (!before || !turned()) return;
      const was = down.size === 2 ? apart() : 0;
      down.set(event.pointerId, [event.x, event.y]);
      if (down.size === 2) turned().come(was / apart());
      else turned().turn((before[0] - event.x) / 120, (event.y - before[1]) / 120);
    });
    for (const end of ["pointerup", "pointercancel"]) canvas.addEventListener(end, (event) => down.delete(event.pointerId));
    canvas.addEventListener("wheel", (event) => {
      if (!turned() || document.activeElement !== canvas) return;
      event.preventDefault();
      turned().come(Math.exp(event.deltaY / 600));
    }, { passive: false });
    canvas.addEventListener("keydown", (event) => {
      const act = KEYS[event.key];
      if (!act || !turned() || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      act(turned());
    });
  }

  function put(figure) {
    const bytes = bytesOf(figure.querySelector("script").textContent), caption = figure.querySelector("figcaption");
    let canvas, turned;
    const begin = () => {
      canvas = document.createElement("canvas");
      canvas.tabIndex = 0;
      canvas.setAttribute("role", "img");
      canvas.setAttribute("aria-label", caption.textContent);
      Object.assign(canvas.style, { display: "block", width: "100%", aspectRatio: "4 / 3", borderRadius: ".4rem", touchAction: "pan-y", cursor: "grab" });
      figure.prepend(canvas);
      try {
        turned = new Turned(canvas, bytes);
        handled(canvas, () => turned);
      } catch (fault) {
        canvas.remove();
        figure.dataset.trouble = fault.message;
        caption.textContent = "It cannot be shown here: " + fault.message;
        sight.disconnect();
      }
    };
    const end = () => { figure.style.minHeight = canvas.clientHeight + "px"; turned.end(); canvas.remove(); turned = undefined; };
    const sight = new IntersectionObserver(([one]) => {
      if (one.isIntersecting && !turned) begin();
      else if (!one.isIntersecting && turned && document.activeElement !== canvas) end();
    }, { rootMargin: "200px" });
    sight.observe(figure);
    new ResizeObserver(() => turned?.ask()).observe(figure);
  }

  document.querySelectorAll('[data-live="blender.preview/1"]').forEach(put);
})();
