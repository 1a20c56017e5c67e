import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  ForeguardError,
  InvalidArgumentError,
  InvalidModelError,
  NotSupportedError,
  ParseError,
} from '../../../bindings/base/errors.js';
import { type BuildOptions, type BuiltModel, build } from '../../../bindings/solvers/exploration/index.js';
import { parseModel, writeExplicit } from '../../../bindings/solvers/formats/index.js';
import { sharedData } from '../../shared.js';

function built(source: string, options: BuildOptions = {}): BuiltModel {
  return build(parseModel(source, { name: 'm.prism' }), options);
}

/** A state as text, its variables in order. */
function stateOf({ variables }: BuiltModel, state: number): string {
  const values = new Float64Array(variables.variables.length);
  variables.read(state, values);
  return [...values].join(',');
}

/** Per state its choices, each `action{state: probability, …}`, sorted: what the model means, however states are numbered. */
function behaviour(source: string, options: BuildOptions = {}): Record<string, string[]> {
  const result = built(source, options);
  const { model } = result;
  const groups = 'rowGroupStart' in model ? model.rowGroupStart : undefined;
  const actions = 'actions' in model ? model.actions : undefined;
  const states: Record<string, string[]> = {};
  for (let state = 0; state < model.states; state++) {
    const choices: string[] = [];
    for (let row = groups?.[state] ?? state; row < (groups?.[state + 1] ?? state + 1); row++) {
      const targets: string[] = [];
      for (let i = model.rowStart[row]; i < model.rowStart[row + 1]; i++) {
        const probability = 'upper' in model ? `[${model.lower[i]},${model.upper[i]}]` : model.values[i];
        targets.push(`${stateOf(result, model.columns[i])}: ${probability}`);
      }
      choices.push(`${actions?.names[actions.ofRow[row]] ?? ''}{${targets.sort().join('; ')}}`);
    }
    states[stateOf(result, state)] = choices.sort();
  }
  return states;
}

describe('modules', () => {
  it('interleave where they share no action', () => {
    expect(
      behaviour(`mdp
        module M x : [0..1]; [] x=0 -> (x'=1); endmodule
        module B y : [0..1]; [] y=0 -> (y'=1); endmodule`),
    ).toEqual({
      '0,0': ['{0,1: 1}', '{1,0: 1}'],
      '1,0': ['{1,1: 1}'],
      '0,1': ['{1,1: 1}'],
      '1,1': ['{1,1: 1}'],
    });
  });

  it('take a shared action together, every combination of their commands, probabilities multiplied', () => {
    expect(
      behaviour(`mdp
        module M x : [0..2]; [go] x=0 -> 1/4:(x'=1) + 3/4:(x'=2); [go] x=0 -> (x'=0); endmodule
        module B y : [0..1]; [go] y=0 -> 1/2:(y'=0) + 1/2:(y'=1); endmodule
        module L z : [0..1]; [go] true -> (z'=1); endmodule`)['0,0,0'],
    ).toEqual(['go{0,0,1: 0.5; 0,1,1: 0.5}', 'go{1,0,1: 0.125; 1,1,1: 0.125; 2,0,1: 0.375; 2,1,1: 0.375}']);
  });

  it('read the values before all updates of a choice', () => {
    expect(
      behaviour(`mdp
        module M x : [0..3] init 1; [swap] true -> (x'=y); endmodule
        module B y : [0..3] init 2; [swap] true -> (y'=x); endmodule`),
    ).toEqual({ '1,2': ['swap{2,1: 1}'], '2,1': ['swap{1,2: 1}'] });
  });

  it('block an action that one of them cannot take now', () => {
    expect(
      behaviour(`mdp
        module M x : [0..1]; [go] true -> (x'=1); endmodule
        module B y : [0..1]; [go] y=1 -> true; endmodule`),
    ).toEqual({ '0,0': ['{0,0: 1}'] });
  });

  it('add up updates that lead to one state, and leave out those of probability 0', () => {
    expect(
      behaviour(`dtmc
        module M x : [0..1]; [] x=0 -> 0.25:(x'=1) + 0:(x'=7) + 0.25:(x'=1) + 0.5:true; [] x=1 -> true; endmodule`),
    ).toEqual({ 0: ['{0: 0.5; 1: 0.5}'], 1: ['{1: 1}'] });
  });

  it('take one of several enabled commands with equal probability in a chain', () => {
    expect(
      behaviour(`dtmc
        module M x : [0..3]; [] x=0 -> (x'=1); [a] x<2 -> (x'=2); [b] x=0 -> 0.5:(x'=3) + 0.5:true; [] x>0 -> true; endmodule`)[
        '0'
      ],
    ).toEqual([`{0: ${1 / 6}; 1: ${1 / 3}; 2: ${1 / 3}; 3: ${1 / 6}}`]);
  });

  it('may be renamed, formulas written out with the new names', () => {
    expect(
      behaviour(`mdp
        const int limit = 1;
        const int other = 2;
        formula full = x=limit;
        module M x : [0..limit]; [up] !full -> (x'=x+1); [reset] full -> (x'=0); endmodule
        module B = M [x=y, up=rise, limit=other] endmodule
        module L = B [y=z, rise=up] endmodule`)['0,0,0'],
    ).toEqual(['rise{0,1,0: 1}', 'up{1,0,1: 1}']);
  });

  it('may change globals in commands without an action', () => {
    expect(
      behaviour(`mdp
        global g : [0..1];
        module M x : bool; [] g=0 -> (g'=1)&(x'=true); endmodule
        module B y : bool; [] g=1 -> (y'=true); endmodule`),
    ).toEqual({ '0,0,0': ['{1,1,0: 1}'], '1,1,0': ['{1,1,1: 1}'], '1,1,1': ['{1,1,1: 1}'] });
  });
});

describe('system', () => {
  const modules = `mdp
    module M x : [0..1]; [a] x=0 -> (x'=1); [c] x=1 -> (x'=0); endmodule
    module B y : [0..1]; [a] y=0 -> (y'=1); [c] y=1 -> (y'=0); endmodule\n`;

  it.each([
    ['', ['a{1,1: 1}']],
    ['system M || B endsystem', ['a{1,1: 1}']],
    ['system M ||| B endsystem', ['a{0,1: 1}', 'a{1,0: 1}']],
    ['system M |[a]| B endsystem', ['a{1,1: 1}']],
    ['system M |[c]| B endsystem', ['a{0,1: 1}', 'a{1,0: 1}']],
    ['system M |[b]| B endsystem', ['a{0,1: 1}', 'a{1,0: 1}']],
    ['system M/{a} || B endsystem', ['a{0,1: 1}', '{1,0: 1}']],
    ['system (M || B)/{a} endsystem', ['{1,1: 1}']],
    ['system M{a<-b} || B endsystem', ['a{0,1: 1}', 'b{1,0: 1}']],
    ['system M{a<-b} || B{a<-b} endsystem', ['b{1,1: 1}']],
    ['system M{a<-c,c<-a} || B endsystem', []],
    ['system "both" endsystem system "both" M ||| B endsystem', ['a{0,1: 1}', 'a{1,0: 1}']],
    ['system "apart" M ||| B endsystem', ['a{0,1: 1}', 'a{1,0: 1}']],
  ])('%s gives in the first state %j', (system, choices) => {
    const first = behaviour(modules + system)['0,0'];
    expect(first).toEqual(choices.length === 0 ? ['{0,0: 1}'] : [...choices].sort());
  });
});

describe('initial states, constants, labels and rewards', () => {
  it('start in all states that init … endinit names', () => {
    const { model } = built(`dtmc
      init x+y=2 & !b endinit
      module M x : [0..2]; y : [0..2]; b : bool; [] true -> (b'=true); endmodule`);
    expect(model.initial.length).toBe(3);
  });

  it('stop at the limit of states, however many valuations init allows', () => {
    const source = 'mdp init true endinit module M x : [0..9999]; y : [0..9999]; [] true -> true; endmodule';
    expect(() => built(source, { maxStates: 1000 })).toThrow(/more than 1000 states/);
    const wide = source.replace('9999', '99999');
    expect(() => built(wide)).toThrow(/init asks for all of 1000000000 valuations/);
  });

  it('start each variable in its initial value, its least one, or false', () => {
    const result = built(`dtmc
      const int N = 3;
      module M x : [-N..N]; y : [0..N] init N-1; b : bool; c : bool init N>2; [] true -> true; endmodule`);
    expect(stateOf(result, 0)).toBe('-3,2,0,1');
  });

  it('take constants from outside, refer to each other in any order, and keep fractions exact', () => {
    const source = `dtmc
      const double q = 1 - p;
      const double p = k/3;
      const int k;
      const bool flag = k=1;
      module M x : [0..1]; [] x=0 & flag -> p:(x'=1) + q:true; [] x=1 -> true; endmodule`;
    expect(behaviour(source, { constants: { k: 1 } })['0']).toEqual([`{0: ${2 / 3}; 1: ${1 / 3}}`]);
    expect(behaviour(source, { constants: { k: '1', p: '1/7' } })['0']).toEqual([
      `{0: ${6 / 7}; 1: ${1 / 7}}`,
    ]);
  });

  it('give a state without a choice a self-loop, the label deadlock and a warning', () => {
    const { model, deadlocks } = built(`dtmc module M x : [0..2]; [] x=0 -> (x'=1); endmodule`);
    expect(deadlocks).toBe(1);
    expect([...model.labels.get('deadlock')!]).toEqual([1]);
    expect(model.warnings?.[0]).toBe(
      '1 state without a choice was given a self-loop, and the label "deadlock": (x=1)',
    );
  });

  it('warn of actions that nobody can take', () => {
    const modules =
      "module M x : bool; [a] true -> (x'=true); [b] true -> true; endmodule module L y : bool; [b] y -> true; endmodule";
    const warnings = (source: string) =>
      built(source).model.warnings?.map((warning) => warning.split(':')[0]);
    expect(warnings(`mdp ${modules}`)).toEqual(['action b is never taken']);
    const system = 'system M |[a,b]| L endsystem';
    expect(warnings(`mdp ${modules} ${system}`)?.slice(0, 2)).toEqual([
      'action a is never taken',
      'action b is never taken',
    ]);
    expect(warnings(`dtmc ${modules}`)).toEqual(['action b is never taken']);
    expect(warnings(`dtmc ${modules} ${system}`)?.slice(0, 2)).toEqual([
      'action a is never taken',
      'action b is never taken',
    ]);
  });

  it('earn rewards of actions by the names that a system gives them', () => {
    const { model } = built(`mdp module M x : bool; [a] true -> true; endmodule system M {a <- b} endsystem
      rewards [b] true : 3; endrewards`);
    expect([...model.rewards![0].choices!]).toEqual([3]);
  });

  it('earn rewards by state and by action; [] means choices without one', () => {
    const { model } = built(`mdp
      module M x : [0..1]; [a] x=0 -> (x'=1); [] x=0 -> true; [b] x=1 -> true; endmodule
      rewards "r" x=0 : 1; x=0 : 2; [a] true : 10; [] x=0 : 20; [b] x=0 : 40; endrewards
      rewards true : x; endrewards`);
    expect(model.rewards?.map(({ name }) => name)).toEqual(['r', '']);
    const [{ states, choices }, second] = model.rewards!;
    expect([...states!]).toEqual([3, 0]);
    expect([...choices!].sort((a, b) => a - b)).toEqual([0, 10, 20]);
    expect([...second.states!]).toEqual([0, 1]);
  });

  it('evaluate functions as expressions do', () => {
    expect(
      behaviour(`dtmc
        const int zero = min(0);
        module M n : [0..9] init func(max, zero, 1); [] true -> (n'=mod(pow(n,2)+floor(n/2)+1, 10)); endmodule`),
    ).toEqual({ 1: ['{2: 1}'], 2: ['{6: 1}'], 6: ['{0: 1}'], 0: ['{1: 1}'] });
  });
});

describe('intervals', () => {
  it('multiply where modules act together', () => {
    const states = behaviour(`mdp
      module M x : [0..1]; [a] x=0 -> [0.5,0.75]:(x'=0) + [0.25,0.5]:(x'=1); endmodule
      module B y : [0..1]; [a] y=0 -> 0.5:(y'=0) + [0.5,0.5]:(y'=1); endmodule`);
    expect(states['0,0']).toEqual([
      'a{0,0: [0.25,0.375]; 0,1: [0.25,0.375]; 1,0: [0.125,0.25]; 1,1: [0.125,0.25]}',
    ]);
    expect(states['1,0']).toEqual(['{1,0: [1,1]}']);
  });

  it('make a chain an interval chain', () => {
    const { model } = built("dtmc module M x : [0..1]; [] true -> [0,1]:(x'=0) + [0,1]:(x'=1); endmodule");
    expect(model.type).toBe('idtmc');
  });
});

describe('errors', () => {
  const command = (text: string) => `dtmc
module M
  x : [0..2];
  b : bool;
  ${text}
endmodule`;

  it.each<[string, string, RegExp]>([
    ['an undeclared name', command("[] y=0 -> (x'=1);"), /m\.prism:5:6: y is not declared.*\n.*\n +\^/],
    [
      'a misspelt name',
      'dtmc const int limit = 2; module M x : [0..limt]; endmodule',
      /limt is not declared.*did you mean limit/,
    ],
    [
      'a guard that is a number',
      command('[] x -> true;'),
      /:5:6: a number stands where a condition belongs; expected a Boolean/,
    ],
    [
      'an assignment of the wrong type',
      command("[] true -> (x'=b);"),
      /x is given a value of type bool; expected one of type int/,
    ],
    [
      'a double for an int',
      command("[] true -> (x'=x/2);"),
      /x is given a value of type double; expected one of type int/,
    ],
    ['an assignment to nothing', command("[] true -> (y'=1);"), /:5:14: y is not a variable/],
    [
      'an assignment to a constant',
      `const int c = 1; ${command("[] true -> (c'=1);")}`,
      /c is not a variable/,
    ],
    ['a variable assigned twice', command("[] true -> (x'=1)&(x'=2);"), /:5:21: x is assigned twice/],
    [
      "another module's variable",
      `${command('[] true -> true;')} module B [] true -> (x'=1); endmodule`,
      /x belongs to module M; B must not change it/,
    ],
    [
      'a global in a command with an action',
      `global g : bool; ${command("[a] true -> (g'=true);")}`,
      /g is global; a command with an action must not change it/,
    ],
    [
      'a constant of the wrong type',
      `const int c = 1/2; ${command('')}`,
      /an expression of type double; expected one of type int/,
    ],
    [
      'a constant that needs itself',
      `const int c = d; const int d = c+1; ${command('')}`,
      /constant [cd] is defined by itself/,
    ],
    [
      'a formula that needs itself',
      `formula f = g+1; formula g = f; ${command('')}`,
      /formula f is defined by itself: f → g → f/,
    ],
    ['a formula that nothing uses', `formula f = x+b; ${command('')}`, /\+ is applied to a Boolean/],
    [
      'a label that is a number',
      `label "l" = x; ${command('')}`,
      /a number stands where a condition belongs/,
    ],
    [
      'a reward that is a Boolean',
      `rewards true : b; endrewards ${command('')}`,
      /a Boolean stands where a number belongs/,
    ],
    ['an empty range', 'dtmc module M x : [2..1]; endmodule', /the range \[2\.\.1\] of x is empty/],
    [
      'two constants of a name',
      `const int c = 1; const int c = 2; ${command('')}`,
      /m\.prism:1:28: constant c has a name that is taken, by constant c in line 1/,
    ],
    [
      'a variable named as a constant',
      `const int x = 1; ${command('')}`,
      /:3:3: variable x has a name that is taken, by constant x/,
    ],
    [
      'a variable named as a formula',
      `formula x = 1; ${command('')}`,
      /variable x has a name that is taken, by formula x/,
    ],
    [
      'a variable in two modules',
      `${command('')} module B x : bool; endmodule`,
      /variable x has a name that is taken, by variable x in line 3/,
    ],
    [
      'a renaming that keeps a variable',
      `${command('')} module B = M [x=b, b=c] endmodule`,
      /variable b has a name that is taken, by variable b in line 4/,
    ],
    [
      'two labels of a name',
      `label "l" = true; label "l" = false; ${command('')}`,
      /label "l" has a name that is taken, by label "l" in line 1/,
    ],
    [
      'a label that every model has',
      `label "deadlock" = x=1; ${command('')}`,
      /:1:7: label "deadlock" is there in every model; expected another name/,
    ],
    [
      'two reward structures of a name',
      `rewards "r" true:1; endrewards rewards "r" true:1; endrewards ${command('')}`,
      /reward structure "r" has a name that is taken/,
    ],
    [
      'rewards of an action that no command has',
      `${command('[send] true -> true;')} rewards [sent] true : 1; endrewards`,
      /rewards are given for action sent, which no command has; did you mean send\?/,
    ],
    ['two modules of a name', `${command('')} module M endmodule`, /there are two modules named M/],
    [
      'a renaming of nothing',
      `${command('')} module B = L [x=y] endmodule`,
      /there is no module L to rename; expected M, B/,
    ],
    [
      'a renaming that forgets a variable',
      `${command('')} module B = M [x=y] endmodule`,
      /variable b of M gets no new name; expected b = …/,
    ],
    [
      'a renaming of itself',
      'dtmc module M = B [x=y] endmodule module B = M [x=y] endmodule',
      /is a renaming of itself/,
    ],
    [
      'a keyword as a name',
      'dtmc module M endinit : bool; endmodule',
      /'endinit' is a word of the language; expected another name for a variable/,
    ],
    ['min as a name', 'dtmc module M min : bool; endmodule', /'min' is a word of the language/],
    [
      'a system that uses itself',
      `${command('')} system "s" endsystem system "s" "s" endsystem`,
      /system "s" is used twice, or needs itself/,
    ],
    ['a system that is not there', `${command('')} system "t" endsystem`, /there is no system "t"/],
    ['a type given twice', 'dtmc mdp module M endmodule', /the type of the model is given twice/],
    ['no module', 'dtmc', /the model has no module; expected module … endmodule/],
    [
      'what no declaration begins with',
      'dtmc modul M endmodule',
      /m\.prism:1:6: unexpected 'modul'; expected dtmc, mdp/,
    ],
    [
      'a missing semicolon',
      command("[] true -> (x'=1)"),
      /:6:1: unexpected 'endmodule'; expected '\+', '&' or ';'/,
    ],
    ['a missing arrow', command("[] true (x'=1);"), /:5:11: unexpected '\('; expected an operator or '->'/],
    [
      'an update without a prime',
      command('[] true -> (x=1);'),
      /expected an operator, or ':' behind a probability/,
    ],
    [
      'a module that does not end',
      'dtmc module M x : bool;',
      /unexpected end of the text; expected 'endmodule'|expected a variable, '\[' of a command, or 'endmodule'/,
    ],
    [
      'a division by nothing',
      command("[] true -> (x'=mod(x,0));"),
      /mod by a number that is not positive; expected a positive integer/,
    ],
    ['a negative divisor', command('[] mod(x,-2)=1 -> true;'), /mod by a number that is not positive/],
    [
      'an integer power that is not an integer',
      `const int c = pow(2,-1); ${command('')}`,
      /the exponent -1 of an integer power is negative/,
    ],
  ])('show the place of %s', (_, source, message) => {
    let error: unknown;
    try {
      built(source);
    } catch (caught) {
      error = caught;
    }
    expect(error).toBeInstanceOf(ParseError);
    expect((error as Error).message).toMatch(message);
    expect((error as Error).message).toMatch(/\n {2}.*\n {2}\s*\^$/);
  });

  it.each<[string, string, RegExp, BuildOptions?]>([
    [
      'a variable that leaves its range',
      command("[] true -> (x'=x+1);"),
      /m\.prism:5:14: x becomes 3, outside its range \[0\.\.2\], in state \(x=2, b=false\)\n {4}\[\] true -> \(x'=x\+1\);\n {15}\^$/,
    ],
    [
      'probabilities that do not sum to 1',
      command("[] true -> 0.5:(x'=1) + 0.25:true;"),
      /m\.prism:5:3: the probabilities of the command sum to 0\.75, not to 1, in state \(x=0, b=false\)/,
    ],
    [
      'a probability above 1',
      command("[] x=0 -> 2:(x'=1);"),
      /m\.prism:5:\d+: the probability is 2, in state/,
    ],
    [
      'a negative probability',
      command("[] true -> x-1:(x'=1) + 2-x:true;"),
      /the probability is -1, in state \(x=0/,
    ],
    [
      'an interval without a distribution',
      command("[] true -> [0,0.25]:(x'=1) + [0,0.5]:true;"),
      /sum to between 0 and 0\.75/,
    ],
    [
      'an interval upside down',
      command("[] true -> [0.75,0.25]:(x'=1) + [0,0.5]:true;"),
      /the probability is \[0\.75,0\.25\]/,
    ],
    [
      'an initial value outside its range',
      'dtmc module M x : [0..2] init 3; endmodule',
      /m\.prism:\d+:\d+: x begins as 3, outside its range \[0\.\.2\]\n.*\n +\^/,
    ],
    ['no initial state', `init x>5 endinit ${command('')}`, /no state satisfies init/],
    [
      'a system that leaves a module out',
      `${command('')} module B endmodule system M endsystem`,
      /the system leaves out B/,
    ],
    ['a system that names a module twice', `${command('')} system M || M endsystem`, /uses module M twice/],
    [
      'a system that names nothing',
      `${command('')} system M || L endsystem`,
      /names L, which is not a module/,
    ],
  ])('name command, state and value of %s', (_, source, message) => {
    expect(() => built(source)).toThrow(InvalidModelError);
    expect(() => built(source)).toThrow(message);
  });

  it.each<[string, BuildOptions, RegExp]>([
    [
      'a constant without a value',
      {},
      /m\.prism:1:\d+: constant N has no value; give it one, as in --const N=1\n.*\n +\^/,
    ],
    [
      'a constant of the wrong type',
      { constants: { N: 1.5 } },
      /constant N is given as 1\.5; expected a value of type int/,
    ],
    ['a constant that is not a number', { constants: { N: 'many' } }, /constant N is given as many/],
    ['a constant that is not declared', { constants: { N: 1, K: 2 } }, /no constant K is declared; .*N/],
    [
      'more states than allowed',
      { constants: { N: 1000 }, maxStates: 10 },
      /m\.prism has more than 10 states/,
    ],
  ])('refuse %s', (_, options, message) => {
    const source = "dtmc const int N; module M x : [0..N]; [] x<N -> (x'=x+1); [] x=N -> true; endmodule";
    expect(() => built(source, options)).toThrow(InvalidArgumentError);
    expect(() => built(source, options)).toThrow(message);
  });

  it.each(['pta', 'popta', 'pomdp', 'smg', 'csg', 'stpg', 'tptg', 'lts', 'ma', 'ctmdp'])(
    'say that %s is not supported',
    (type) => {
      expect(() => built(`${type} module M endmodule`)).toThrow(NotSupportedError);
      expect(() => built(`${type} module M endmodule`)).toThrow(/supported are dtmc and mdp/);
    },
  );

  it('say that a ctmc can be read, but not explored', () => {
    expect(() => built('ctmc module M endmodule')).toThrow(NotSupportedError);
  });
});

sharedData('prism-tests/functionality/language', (folder) => {
  const text = (name: string) => readFileSync(`${folder}/${name}`, 'utf8');

  it('synchronises intervals as PRISM does', () => {
    const { tra } = writeExplicit(built(text('imdp-sync.prism')).model, { digits: 15 });
    // PRISM numbers states by their values; here they are numbered as they are found, which is the same.
    expect(tra).toBe(text('imdp-sync.tra'));
  });

  it.each(['constrefs', 'func_power', 'negative-rewards', 'unary-min-max'])('builds %s', (name) => {
    const constants = name === 'constrefs' ? { N: 0 } : {};
    try {
      expect(built(text(`${name}.prism`), { constants }).model.states).toBeGreaterThan(0);
    } catch (error) {
      expect(error).toBeInstanceOf(ForeguardError);
      expect(name).toBe('negative-rewards');
    }
  });
});
