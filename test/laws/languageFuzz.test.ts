import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ForeguardError } from '../../bindings/errors.js';
import { build } from '../../bindings/exploration/index.js';
import { parseModel } from '../../bindings/formats/index.js';
import { parseProperties } from '../../bindings/logic/index.js';

/** Small models that together use every part of the language. */
const MODELS = [
  `dtmc // a die
const double p = 1/2;
module die
  s : [0..7] init 0;
  d : [0..6] init 0;
  [] s=0 -> p : (s'=1) + 1-p : (s'=2);
  [] s=1 -> 0.5 : (s'=3) + 5e-1 : (s'=1) & (d'=min(d+1, 6));
  [roll] s>=2 & s<7 -> (s'=7) & (d'=mod(s*3, 7));
  [] s=7 -> true;
endmodule
rewards "flips" s<7 : 1; [roll] true : 0.5; endrewards
label "end" = s=7;`,
  `mdp
const int N = 3;
const bool careful = false;
formula full = x=N | (y=N & !careful);
global turn : [1..2] init 1;
module left
  x : [0..N];
  [go] !full & turn=1 -> 1/3 : (x'=x+1) + 2/3 : (x'=max(0, x-1));
  [] full -> (turn'=turn=1 ? 2 : 1);
  [stay] true -> true;
endmodule
module right = left [x=y, y=x] endmodule
module watch b : bool; [go] true -> (b'=!b); endmodule
system (left |[go]| watch) ||| right{stay<-rest}/{rest} endsystem
rewards [go] x>0 => b : func(floor, x/2); endrewards`,
  `nondeterministic
init x+y<=1 & (b <=> x=0) endinit
module m x : [0..2]; y : [-1..1]; b : bool;
  [a] x<2 -> [0.25,0.5] : (x'=x+1) + [0.5,0.75] : (y'=-y);
  [b] pow(x, 2) >= ceil(1.5) & log(8, 2) > 2 -> (b'=round(y/2)=0);
endmodule
label "odd" = mod(x+2*y+4, 2) = 1;`,
  `probabilistic const int k; const double q = k/4;
module m s : [0..3]; [] s<3 & q<=1 -> q^2 : (s'=s+1) + 1-q^2 : true; [] s=3 -> true; endmodule
system "main" m endsystem`,
];

const PROPERTIES = [
  `const int T; const double bound = 1e-3; formula near = s>2 & s<5;
label "near" = near;
P=? [ F "end" ]; // comment
"safe": P>=0.99 [ G !"bad" ];
Pmax=? [ !"a" U<=T "b" ]; P<bound [ X (s=1 => b) ];
Pmin=? [ (G F "a") & (F G !"b") ]; P=? [ "a" W[2,T+1] "b" ]; P=? [ "a" R>=3 "b" ];`,
  `R{"flips"}=? [ F s=7 ]; R{2}max=? [ C<=10 ]; Rmin<=5 [ I=T*2 ]; R=? [ S ]; T=? [ F "end" ]; R=? [ C ];
S>0.5 [ "end" ]; A [ G E [ F "init" ] ]; filter(avg, P=? [ F "end" ], s<3); filter(+, s, true)
<<*>> Pmaxmin=? [ F "a" ]; [[1,2]] P>=1 [ F "b" ]; multi(P>=0.5 [ F "a" ], R<=3 [ C ]); "safe" & true ? 1 : 2`,
];

const tokens = [
  ...new Set(
    [...MODELS, ...PROPERTIES].flatMap((text) => text.match(/[A-Za-z_]\w*|\d+(?:\.\d+)?|"[^"]*"|\S/g) ?? []),
  ),
  '..',
  '->',
  '<=>',
  '|||',
  '|[',
  ']|',
  'endmodule',
  '//',
  '\n',
  '"',
  "'",
  '#',
  'é',
  '999999999999',
  '1e999',
  '0/0',
];

/** A text with some of its tokens left out, doubled, swapped or replaced. */
function mutated(texts: readonly string[]): fc.Arbitrary<string> {
  const change = fc.tuple(
    fc.nat(),
    fc.constantFrom('drop', 'double', 'swap', 'replace', 'insert', 'cut'),
    fc.constantFrom(...tokens),
  );
  return fc
    .tuple(fc.constantFrom(...texts), fc.array(change, { minLength: 1, maxLength: 6 }))
    .map(([text, changes]) => {
      const parts = text.match(/[A-Za-z_]\w*|\d+(?:\.\d+)?|"[^"]*"|\s+|\S/g) ?? [];
      for (const [place, kind, token] of changes) {
        if (parts.length === 0) break;
        const at = place % parts.length;
        const other = (place * 7 + 3) % parts.length;
        if (kind === 'drop') parts.splice(at, 1);
        else if (kind === 'double') parts.splice(at, 0, parts[at]);
        else if (kind === 'swap') [parts[at], parts[other]] = [parts[other], parts[at]];
        else if (kind === 'replace') parts[at] = token;
        else if (kind === 'insert') parts.splice(at, 0, ` ${token} `);
        else parts.length = at;
      }
      return parts.join('');
    });
}

/** Runs `attempt`, which may throw what Foreguard throws on purpose and nothing else; whether it threw nothing. */
function succeeds(attempt: () => unknown): boolean {
  try {
    attempt();
    return true;
  } catch (error) {
    if (!(error instanceof ForeguardError)) throw error;
    expect(error.message).not.toMatch(/undefined|NaN|\[object/);
    return false;
  }
}

describe('the language', () => {
  it('has examples that are valid themselves', () => {
    for (const model of MODELS) {
      const parsed = parseModel(model);
      const open = parsed.constants.filter(({ value }) => value === null).map(({ name }) => [name, 2]);
      expect(build(parsed, { constants: Object.fromEntries(open) }).model.states).toBeGreaterThan(1);
    }
    for (const properties of PROPERTIES)
      expect(parseProperties(properties).properties.length).toBeGreaterThan(5);
  });

  it('is parsed and built, or refused with a message, whatever the text', () => {
    let accepted = 0;
    fc.assert(
      fc.property(mutated(MODELS), (text) => {
        if (
          succeeds(() =>
            build(parseModel(text), {
              constants: text.includes('const int k;') ? { k: 2 } : {},
              maxStates: 2000,
            }),
          )
        )
          accepted++;
      }),
      { numRuns: 800 },
    );
    // Enough come through that exploration is tried too.
    expect(accepted).toBeGreaterThan(15);
  });

  it('has properties that are parsed, or refused with a message, whatever the text', () => {
    let accepted = 0;
    fc.assert(
      fc.property(mutated(PROPERTIES), (text) => {
        if (succeeds(() => parseProperties(text))) accepted++;
        // One that cannot be read never loses the rest.
        parseProperties(text, { skipInvalid: true });
      }),
      { numRuns: 800 },
    );
    expect(accepted).toBeGreaterThan(15);
  });
});
