// Panels with words in high contrast, drawn on a canvas; `userData.text` says what can be read.
import * as THREE from "three";

export class Panel {
  #canvas = document.createElement("canvas");

  /** `thick` makes a box of it, whose front shows the words. */
  constructor(name, width, height, lines, thick = 0) {
    const scale = 512 / Math.max(width, height);
    Object.assign(this.#canvas, { width: Math.round(width * scale), height: Math.round(height * scale) });
    this.lines = lines;
    this.texture = new THREE.CanvasTexture(this.#canvas);
    this.texture.colorSpace = THREE.SRGBColorSpace;
    const face = new THREE.MeshBasicMaterial({ map: this.texture });
    this.edge = new THREE.MeshBasicMaterial({ color: "#f4f6fb" });
    this.mesh = thick
      ? new THREE.Mesh(new THREE.BoxGeometry(width, height, thick), [this.edge, this.edge, this.edge, this.edge, face, this.edge])
      : new THREE.Mesh(new THREE.PlaneGeometry(width, height), face);
    this.mesh.name = name;
  }

  say(words, ground = "#101a33", ink = "#ffffff") {
    const look = words.join(". ") + ground;
    if (this.look === look) return;
    this.look = look;
    this.mesh.userData.text = words.join(". ");
    const { width, height } = this.#canvas, pen = this.#canvas.getContext("2d"), unit = height / this.lines;
    pen.fillStyle = ground;
    pen.fillRect(0, 0, width, height);
    pen.fillStyle = ink;
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    const top = (this.lines - words.length) / 2;
    words.forEach((line, index) => {
      pen.font = `600 ${unit * 0.95}px system-ui, sans-serif`;
      pen.fillText(line, width / 2, unit * (top + index + 0.5), width * 0.92);
    });
    this.texture.needsUpdate = true;
  }
}
