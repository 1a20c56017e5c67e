import { describe, expect, it } from 'vitest';
import {
  parsePrismExpression,
  parseProperties,
  printPrismExpression,
} from '../../bindings/languages/logic/index.js';
import { build } from '../../bindings/solvers/exploration/index.js';
import { parseModel, printModel } from '../../bindings/solvers/formats/index.js';
import { withoutPlaces } from '../laws/withoutPlaces.js';
import { FUZZ_TIMEOUT_MS, fuzz } from './fuzz.js';
import { mutatedText } from './mutations.js';

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

/** Tokens that none of the examples has, or has only within others. */
const TOKENS = [
  '..',
  '->',
  '<=>',
  '|||',
  '|[',
  ']|',
  'endmodule',
  '//',
  '"',
  "'",
  '#',
  'é',
  '999999999999',
  '1e999',
  '0/0',
  '1/3',
];

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

  it(
    'is parsed, printed and built, or refused with a message, whatever the text',
    async () => {
      await fuzz(400, mutatedText(MODELS, TOKENS), (text) => {
        const model = parseModel(text);
        expect(withoutPlaces(parseModel(printModel(model)))).toEqual(withoutPlaces(model));
        const constants = text.includes('const int k;') ? { k: 2 } : {};
        build(model, { constants, maxStates: 2000 });
      });
    },
    FUZZ_TIMEOUT_MS,
  );

  it(
    'has properties that are parsed and printed, or refused with a message, whatever the text',
    async () => {
      await fuzz(400, mutatedText(PROPERTIES, TOKENS), (text) => {
        // One that cannot be read never loses the rest.
        parseProperties(text, { skipInvalid: true });
        for (const { expression } of parseProperties(text).properties) {
          const printed = printPrismExpression(expression);
          expect(withoutPlaces(parsePrismExpression(printed, { properties: true }))).toEqual(
            withoutPlaces(expression),
          );
        }
      });
    },
    FUZZ_TIMEOUT_MS,
  );
});
