// Panels with words, drawn on a canvas; `userData.text` says the same.
import * as THREE from "three";

export const CARD = { width: 0.12, height: 0.08, above: 0.03 };
const DOTS = 2400; // to the metre

const wrapped = (pen, text, width) => {
  const lines = [""];
  for (const word of text.split(" ")) {
    const longer = lines.at(-1) ? `${lines.at(-1)} ${word}` : word;
    if (pen.measureText(longer).width <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
};

export class Panel {
  #canvas = document.createElement("canvas");

  constructor(name, width, height, accent = "#ffce54") {
    const scale = width > 0.3 ? 0.5 : 1;
    Object.assign(this.#canvas, { width: Math.round(width * DOTS * scale), height: Math.round(height * DOTS * scale) });
    this.accent = accent;
    this.texture = new THREE.CanvasTexture(this.#canvas);
    this.texture.colorSpace = THREE.SRGBColorSpace;
    this.texture.anisotropy = 4;
    const material = new THREE.MeshBasicMaterial({ map: this.texture, transparent: true, side: THREE.DoubleSide });
    this.mesh = new THREE.Mesh(new THREE.PlaneGeometry(width, height), material);
    this.mesh.name = name;
    this.mesh.visible = false;
    this.mesh.renderOrder = 2;
  }

  say(title, words) {
    const text = `${title}. ${words}`;
    if (this.mesh.userData.text === text) return;
    this.mesh.userData.text = text;
    const { width, height } = this.#canvas, pen = this.#canvas.getContext("2d"), unit = height / 10;
    pen.clearRect(0, 0, width, height);
    pen.fillStyle = "#141a3aee";
    pen.beginPath();
    pen.roundRect(0, 0, width, height, unit);
    pen.fill();
    pen.fillStyle = this.accent;
    pen.fillRect(unit, unit * 3.7, unit * 3, unit * 0.25);
    pen.textBaseline = "alphabetic";
    pen.font = `600 ${unit * 2}px system-ui, sans-serif`;
    pen.fillStyle = "#ffffff";
    pen.fillText(title, unit, unit * 3, width - 2 * unit);
    pen.font = `${unit * 1.25}px system-ui, sans-serif`;
    pen.fillStyle = "#cfd7ff";
    wrapped(pen, words, width - 2 * unit).slice(0, 3).forEach((line, index) => pen.fillText(line, unit, unit * (5.6 + index * 1.6)));
    this.texture.needsUpdate = true;
  }
}
