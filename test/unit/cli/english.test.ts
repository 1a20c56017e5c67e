import { describe, expect, it } from 'vitest';
import { foreguard } from './command.js';

describe('foreguard english', () => {
  it('prints the formula of one sentence alone', async () => {
    const { out, code } = await foreguard('english', 'Whenever a the x shall immediately satisfy !b');
    expect({ out, code }).toEqual({ out: 'G (a -> !b)\n', code: 0 });
  });

  it('prints several below their sentences, and says what units mean', async () => {
    const { out } = await foreguard('english', 'x shall always satisfy a', 'x shall for 2 seconds satisfy a');
    expect(out).toBe(`x shall always satisfy a
    G a
x shall for 2 seconds satisfy a
    G<=2 a
note: as in FRET, 2 seconds are 2 steps: write the number of steps that you mean
`);
  });

  it('gives the parts as JSON', async () => {
    const { out } = await foreguard('english', 'in m mode, when c the x shall never satisfy a', '--json');
    const { readings } = JSON.parse(out);
    expect(readings).toMatchObject([
      { component: 'x', scope: 'in', condition: 'regular', timing: 'never', duration: null, unit: null },
    ]);
  });

  it('says which sentence it cannot read, and where', async () => {
    const { err, code } = await foreguard('english', 'x shall always satisfy a', 'x shall alway satisfy a');
    expect(code).toBe(2);
    expect(err).toContain('sentence 2:1:9: unexpected "alway"');
    expect(err).toContain('did you mean always?');
  });
});
