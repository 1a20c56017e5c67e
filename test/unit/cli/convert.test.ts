import '../../../bindings/solvers/kernel/inline.js';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { learn, learnMdp } from '../../../bindings/estimation/learning/index.js';
import { run } from '../../../bindings/face/cli/run.js';
import { writeUmb } from '../../../bindings/solvers/formats/index.js';
import { overFlags } from '../learning/flagTraces.js';

const folder = mkdtempSync(join(tmpdir(), 'foreguard-convert-'));
const path = (name: string): string => join(folder, name);
const text = (name: string): string => readFileSync(path(name), 'utf8');

async function convert(...arguments_: string[]): Promise<{ out: string; err: string; code: number }> {
  let out = '';
  let err = '';
  const code = await run(['convert', ...arguments_], {
    out: (written) => void (out += written),
    err: (written) => void (err += written),
    interactive: false,
  });
  return { out, err, code };
}

beforeAll(() => {
  writeFileSync(path('notes.doc'), 'To do: buy milk.');
  writeFileSync(
    path('walk.prism'),
    `mdp
const int N;
module walk
  x : [-1..N] init 0;
  b : bool;
  [go] x<N & !b -> 1/4 : (x'=x+1) + 3/4 : (b'=true);
  [rest] x<N & !b -> true;
  [] x=N -> true;
endmodule
label "end" = x=N;
rewards "steps" [go] true : 2; x=0 : 1; endrewards
rewards "none" false : 1; endrewards
`,
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('foreguard convert', () => {
  it('explores a model in the language and writes what PRISM would', async () => {
    const { out, code } = await convert(path('walk.prism'), path('walk.tra'), '--const', 'N=1');
    expect(code).toBe(0);
    expect(out).toContain('mdp: 3 states, 4 choices, 5 transitions');
    expect(out).toMatch(/warning: 1 state without a choice was given a self-loop/);
    expect(text('walk.sta')).toContain('(x,b)\n0:(0,false)\n');
    expect(text('walk.lab')).toMatch(/^# Labels\n0="init" 1="deadlock" 2="end"\n0: 0\n/);
    expect(text('walk1.srew')).toBe('# Reward structure "steps"\n# State rewards\n3 2\n0 1\n2 1\n');
    expect(existsSync(path('walk2.trew'))).toBe(true);
  });

  it('goes from any format to any other and back without loss', async () => {
    expect((await convert(path('walk.prism'), path('a.umb.gz'), '--const', 'N=2')).code).toBe(0);
    expect((await convert(path('a.umb.gz'), path('b.tra'))).code).toBe(0);
    expect((await convert(path('b.tra'), path('c.umb'))).code).toBe(0);
    expect((await convert(path('c.umb'), path('d.pexp'))).code).toBe(0);
    expect((await convert(path('d.pexp'), path('e.tra'))).code).toBe(0);
    for (const suffix of ['.tra', '.lab', '.sta', '1.srew', '1.trew']) {
      expect(text(`e${suffix}`)).toBe(text(`b${suffix}`));
    }
    expect((await convert(path('e.tra'), path('f.dot'))).code).toBe(0);
    expect(text('f.dot')).toContain('digraph mdp {');
  });

  it('says that the start of a learnt model becomes a step like any other', async () => {
    const steps = [true, false, true].map((p0) => ({ state: { p0 }, action: { name: 'go' } }));
    for (const learnt of [learn, learnMdp]) {
      const { model } = await learnt(overFlags(1), [{ id: 'a', complete: true, steps }]);
      writeFileSync(path('learnt.umb'), await writeUmb(model));
      expect((await convert(path('learnt.umb'), path('learnt2.umb'))).out).not.toContain('start');
      expect((await convert(path('learnt.umb'), path('learnt.tra'))).out).toMatch(
        /warning: .*"start" is a step like any other: F<=k there is F<=k-1/,
      );
    }
  });

  it('hands back a JSON document', async () => {
    const { out } = await convert(path('walk.prism'), path('j.umb'), '--const', 'N=1', '--json');
    expect(JSON.parse(out)).toMatchObject({
      written: [path('j.umb')],
      model: { type: 'mdp', states: 3, choices: 4, transitions: 5 },
    });
  });

  it.each([
    ['a constant without a value', ['walk.prism', 'x.umb'], /walk\.prism:\d+:\d+: constant N has no value/],
    ['a constant of a model without any', ['j.umb', 'x.tra', '--const', 'N=1'], /has no constants/],
    [
      'more states than allowed',
      ['walk.prism', 'x.umb', '--const', 'N=99', '--max-states', '5'],
      /more than 5 states/,
    ],
    ['a limit that is none', ['walk.prism', 'x.umb', '--max-states', 'many'], /--max-states is "many"/],
    ['digits that doubles do not have', ['j.umb', 'x.tra', '--digits', '20'], /digits is 20/],
    ['the language as output', ['j.umb', 'x.prism'], /not written in PRISM's language/],
    ['packed text as output', ['j.umb', 'x.tra.gz'], /only \.umb can be written packed/],
    [
      'a format that is not known',
      ['j.umb', 'x.doc'],
      /expected a name in \.umb, \.tra, \.pexp, \.dot, \.gv or \.umb\.gz/,
    ],
    ['a name without an extension', ['j.umb', 'x'], /the format to write is not known/],
    ['xz as output', ['j.umb', 'x.umb.xz'], /xz; pack it afterwards: .*x\.umb && xz .*x\.umb$/m],
    [
      'an input that is no model',
      ['notes.doc', 'x.umb'],
      /not known; expected \.umb, \.tra, \.pexp, \.prism, \.pm, \.nm, \.sm,/,
    ],
    ['several models', ['walk.prism', 'x.umb', '--const', 'N=1:2'], /--const gives a range/],
    ['a file that is absent', ['absent.umb', 'x.tra'], /absent\.umb/],
  ])('exits with 2 and says why: %s', async (_, [input, output, ...rest], message) => {
    const { err, code } = await convert(path(input), path(output), ...rest);
    expect(code).toBe(2);
    expect(err).toMatch(message);
  });
});
