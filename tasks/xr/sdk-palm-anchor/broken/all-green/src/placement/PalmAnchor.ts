import {TransformScript} from './TransformScript';

export class PalmAnchor extends TransformScript {
  constructor(_options: object) {
    super();
  }
}
