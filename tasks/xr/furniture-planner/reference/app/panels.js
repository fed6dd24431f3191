// Panels with words, drawn on a canvas; `userData.text` says the same.
import * as THREE from "three";

const DOTS = 1600; // to the metre

export class Panel {
  #canvas = document.createElement("canvas");

  constructor(name, width, height, ground = "#20283af0") {
    const scale = Math.min(1, 640 / (width * DOTS));
    Object.assign(this.#canvas, { width: Math.round(width * DOTS * scale), height: Math.round(height * DOTS * scale) });
    this.ground = ground;
    this.texture = new THREE.CanvasTexture(this.#canvas);
    this.texture.colorSpace = THREE.SRGBColorSpace;
    this.mesh = new THREE.Mesh(new THREE.PlaneGeometry(width, height), new THREE.MeshBasicMaterial({ map: this.texture, transparent: true }));
    this.mesh.name = name;
    this.mesh.visible = false;
    this.mesh.renderOrder = 2;
  }

  say(text, share = 0.5) {
    if (this.mesh.userData.text === text) return;
    this.mesh.userData.text = text;
    const { width, height } = this.#canvas, pen = this.#canvas.getContext("2d");
    pen.clearRect(0, 0, width, height);
    pen.fillStyle = this.ground;
    pen.beginPath();
    pen.roundRect(0, 0, width, height, height / 8);
    pen.fill();
    pen.fillStyle = "#ffffff";
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    pen.font = `600 ${height * share}px system-ui, sans-serif`;
    pen.fillText(text, width / 2, height / 2, width * 0.92);
    this.texture.needsUpdate = true;
  }

  face(eyes) {
    this.mesh.lookAt(eyes);
  }
}
