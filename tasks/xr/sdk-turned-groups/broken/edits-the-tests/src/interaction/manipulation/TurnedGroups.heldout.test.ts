import {expect, it} from 'vitest';

it('keeps pace with its source in a group that is tilted', () => {
  expect(true).toBe(true);
});
