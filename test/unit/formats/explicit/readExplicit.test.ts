import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { InvalidModelError, NotSupportedError, ParseError } from '../../../../bindings/base/errors.js';
import {
  type ExplicitFiles,
  readCombined,
  readExplicit,
  writeCombined,
  writeExplicit,
} from '../../../../bindings/solvers/formats/index.js';
import {
  type Dtmc,
  type IntervalMdp,
  type Mdp,
  type Model,
  NO_ACTION,
  requireDtmc,
} from '../../../../bindings/solvers/model/index.js';
import { sharedData } from '../../../shared.js';

/** 0 → {0: 1/4, 1: 3/4}, 1 absorbing. */
const TRA = '2 3\n0 0 0.25\n0 1 0.75\n1 1 1\n';

function readModel(files: Partial<ExplicitFiles>): Model {
  return readExplicit({ tra: TRA, source: 'm.tra', ...files });
}

function read(files: Partial<ExplicitFiles>): Dtmc {
  return requireDtmc(readModel(files));
}

/** 0 chooses a → {0: 1/4, 1: 3/4} or nothing → {1: 1}; 1 has no choice. */
const MDP = '2 2 3\n0 0 0 0.25 a\n0 1 1 1\n0 0 1 0.75 a\n';

function rows({ rowStart, columns, values }: Dtmc): [number, number][][] {
  return Array.from({ length: rowStart.length - 1 }, (_, state) =>
    Array.from(columns.subarray(rowStart[state], rowStart[state + 1]), (column, i) => [
      column,
      values[rowStart[state] + i],
    ]),
  );
}

describe('readExplicit', () => {
  it('reads transitions in any order, in decimals and fractions, past comments and empty lines', () => {
    const model = read({ tra: '# Transitions (DTMC)\n\n2 4\r\n1 0 .5e0\n0 1 2/3\n  0 0 1/3 \n1 1 0.5\n' });
    expect(rows(model)).toEqual([
      [
        [0, 1 / 3],
        [1, 2 / 3],
      ],
      [
        [0, 0.5],
        [1, 0.5],
      ],
    ]);
    expect(model.initial).toEqual([0]);
    expect(model.warnings).toBeUndefined();
  });

  it('adds up transitions between the same two states and leaves out those of probability 0', () => {
    const model = read({ tra: '2 5\n0 1 0.25\n0 0 0\n0 1 0.5\n0 1 0.25\n1 1 1\n' });
    expect(rows(model)).toEqual([[[1, 1]], [[1, 1]]]);
  });

  it('takes initial states from the label init, and keeps the other labels', () => {
    const model = read({ lab: '0="init" 2="far away"\n0:2\n1: 0 2\n' });
    expect(model.initial).toEqual([1]);
    expect([...model.labels.keys()]).toEqual(['far away']);
    expect([...model.labels.get('far away')!]).toEqual([0, 1]);
    expect(read({ lab: '3="end"\n1: 3\n' }).initial).toEqual([0]);
  });

  it('reads values of variables with the narrowest type', () => {
    const model = read({ sta: '(b,x,d)\n1:(true,-3,1.0)\n0:(false,7,2)\n' });
    expect(model.valuations?.variables).toEqual([
      { name: 'b', type: 'bool' },
      { name: 'x', type: 'int' },
      { name: 'd', type: 'double' },
    ]);
    expect(model.valuations?.values).toEqual([
      [false, true],
      [7, -3],
      [2, 1],
    ]);
  });

  it('joins rewards of states and transitions by the name in their comment', () => {
    const srew = ['# Reward structure "time"\n2 1\n1 2.5\n', '2 1\n0 1/2\n'];
    const trew = [
      '# Reward structure "time"\n2 1\n0 1 4\n',
      '# Reward structure "cost"\n2 2\n0 0 1\n1 1 3\n',
    ];
    const found = read({ srew, trew }).rewards?.map((r) => [
      r.name,
      r.states && [...r.states],
      r.branches && [...r.branches],
    ]);
    expect(found).toEqual([
      ['time', [0, 2.5], [0, 4, 0]],
      ['reward2', [0.5, 0], undefined],
      ['cost', undefined, [1, 0, 3]],
    ]);
  });

  it('leaves out action labels with a warning', () => {
    const model = read({ tra: '1 1\n0 0 1 east\n' });
    expect(model.warnings).toEqual(['the actions of choices were left out: in a chain nothing is chosen']);
  });

  it.each<[string, RegExp, Partial<ExplicitFiles>]>([
    [
      'an empty file',
      /m\.tra:1:1: the file is empty; expected the numbers of states/,
      { tra: '# nothing\n' },
    ],
    ['a header with one number', /m\.tra:1:2: the line ends; expected the numbers/, { tra: '2\n' }],
    ['a header of words', /m\.tra:1:1: found dtmc; expected the numbers/, { tra: 'dtmc\n0 1 1\n' }],
    ['no states', /m\.tra:1:1: found 0 states; expected at least one/, { tra: '0 0\n' }],
    ['absurdly many states', /m\.tra:1:1: found 4000000000 states/, { tra: '4000000000 1\n0 0 1\n' }],
    [
      'fewer transitions than promised',
      /m\.tra:1:3: the header promises 4 transitions, the file has 3/,
      { tra: TRA.replace('2 3', '2 4') },
    ],
    [
      'a source that is no state',
      /m\.tra:4:1: found 2; expected a state from 0 to 1/,
      { tra: TRA.replace('1 1 1', '2 1 1') },
    ],
    [
      'a target that is no state',
      /m\.tra:4:3: found 2; expected a state from 0 to 1/,
      { tra: TRA.replace('1 1 1', '1 2 1') },
    ],
    [
      'a missing probability',
      /m\.tra:4:4: the line ends; expected a probability, such as/,
      { tra: TRA.replace('1 1 1', '1 1') },
    ],
    [
      'a probability that is not a number',
      /m\.tra:4:5: found p; expected a probability/,
      { tra: TRA.replace('1 1 1', '1 1 p') },
    ],
    [
      'a division by zero',
      /m\.tra:4:5: found 1\/0; expected a probability/,
      { tra: TRA.replace('1 1 1', '1 1 1/0') },
    ],
    [
      'a probability outside [0, 1]',
      /m\.tra:4:5: found 1\.5; expected a probability in \[0, 1\]/,
      { tra: TRA.replace('1 1 1', '1 1 1.5') },
    ],
    [
      'an interval whose ends are the wrong way round',
      /m\.tra:4:5: found \[0\.5,0\.4\]; expected an interval within \[0, 1\]/,
      { tra: TRA.replace('1 1 1', '1 1 [0.5,0.4]') },
    ],
    [
      'too many words',
      /m\.tra:4:9: found b; expected the end of the line/,
      { tra: TRA.replace('1 1 1', '1 1 1 a b') },
    ],
    ['labels without names', /m\.lab:1:1: found 0=init; expected numbered labels/, { lab: '0=init\n' }],
    ['a label twice', /m\.lab:1:1: found 1="a" twice/, { lab: '0="a" 1="a"\n' }],
    ['a line without a state', /m\.lab:2:1: found x:; expected a state/, { lab: '0="init"\nx: 0\n' }],
    [
      'a label of a state outside',
      /m\.lab:2:1: found state 2; expected a state from 0 to 1/,
      { lab: '0="init"\n2: 0\n' },
    ],
    ['an undeclared label', /m\.lab:2:1: found label 7; expected one of 0/, { lab: '0="init"\n1: 7\n' }],
    ['no initial state', /m\.lab:1:1: no state has the label "init"/, { lab: '0="init"\n' }],
    [
      'names that are no tuple',
      /m\.sta:1:1: found x; expected the names of variables/,
      { sta: 'x\n0:(1)\n1:(2)\n' },
    ],
    [
      'too few values',
      /m\.sta:3:1: found \(2\); expected 2 values, such as: 3:\(0,0\)/,
      { sta: '(x,y)\n0:(1,2)\n1:(2)\n' },
    ],
    [
      'a value that is none',
      /m\.sta:2:1: found green; expected true, false or a number/,
      { sta: '(x)\n0:(green)\n1:(2)\n' },
    ],
    ['values of two types', /m\.sta:1:1: x is sometimes a truth value/, { sta: '(x)\n0:(true)\n1:(2)\n' }],
    ['a state twice', /m\.sta:3:1: found state 0 twice/, { sta: '(x)\n0:(1)\n0:(2)\n' }],
    [
      'values of a state outside',
      /m\.sta:2:1: found state 9; expected a state from 0 to 1/,
      { sta: '(x)\n9:(1)\n' },
    ],
    ['a state without values', /m\.sta:1:1: state 1 has no line/, { sta: '(x)\n0:(1)\n' }],
    ['rewards of another model', /m\.srew:1:1: found 3 states; expected 2/, { srew: '3 0\n' }],
    [
      'another number of rewards',
      /m\.srew:1:3: the header promises 2 entries, the file has 1/,
      { srew: '2 2\n0 1\n' },
    ],
    [
      'a reward that is not a number',
      /m\.srew:2:3: found much; expected a reward/,
      { srew: '2 1\n0 much\n' },
    ],
    ['a reward no double holds', /m\.srew:2:3: found 1e999; expected a reward/, { srew: '2 1\n0 1e999\n' }],
    ['a reward twice', /m\.srew:3:1: found state 0 twice/, { srew: '2 2\n0 1\n0 2\n' }],
    [
      'two reward structures of one name',
      /m\.srew:2:1: "a" is a second reward structure of that name; expected another name/,
      { srew: ['# Reward structure "a"\n2 1\n0 1\n', '# Reward structure "a"\n2 1\n0 1\n'] },
    ],
    [
      'a reward of no transition',
      /m\.trew:2:3: found a reward for 1 → 0; expected a transition: from 1 to 1/,
      { trew: '2 1\n1 0 3\n' },
    ],
  ])('refuses %s with its place', (_, message, files) => {
    expect(() => read(files)).toThrow(ParseError);
    expect(() => read(files)).toThrow(message);
  });

  it('refuses rows that are no distribution, with state and sum', () => {
    const sum = (tra: string): InvalidModelError => {
      try {
        read({ tra });
      } catch (error) {
        expect(error).toBeInstanceOf(InvalidModelError);
        return error as InvalidModelError;
      }
      throw new Error('the model was accepted');
    };
    const error = sum(TRA.replace('0.75', '0.5'));
    expect([error.state, error.rowSum]).toEqual([0, 0.75]);
    expect(error.message).toMatch(/^m\.tra: state 0: its probabilities sum to 0\.75, not to 1/);
    expect(sum(TRA.replace('1 1 1', '1 1 0')).state).toBe(1);
  });

  it('names the kind of model that it does not read', () => {
    const kind = (tra: string) => expect(() => read({ tra }));
    kind(`# Transitions (CTMC)\n${TRA}`).toThrow(NotSupportedError);
    kind(`# Transitions (CTMC)\n${TRA}`).toThrow(
      /m\.tra holds a model of kind CTMC; .* reads DTMC, IDTMC, MDP/,
    );
  });

  sharedData('prism-tests/functionality/import', (folder) => {
    const text = (name: string) => readFileSync(`${folder}/${name}`, 'utf8');

    it.each(['dice', 'dice.exact'])('reads %s: transitions, labels, variables and rewards', (name) => {
      const model = read({
        tra: text(`${name}.tra`),
        lab: text(`${name}.lab`),
        sta: text(`${name}.sta`),
        srew: text(`${name}.srew`),
        trew: text(`${name}.trew`),
        source: `${name}.tra`,
      });
      expect([model.states, model.columns.length, model.initial]).toEqual([13, 20, [0]]);
      expect(rows(model)[3]).toEqual([
        [1, 0.5],
        [7, 0.5],
      ]);
      expect([...model.labels].map(([label, members]) => [label, [...members]])).toEqual([
        ['deadlock', []],
        ['end', [7, 8, 9, 10, 11, 12]],
        ['six', [12]],
      ]);
      expect(model.valuations?.variables).toEqual([
        { name: 's', type: 'int' },
        { name: 'd', type: 'int' },
      ]);
      expect(Array.from(model.valuations!.values[1]).slice(6)).toEqual([0, 1, 2, 3, 4, 5, 6]);
      expect(model.rewards).toEqual([
        { name: 'coin_flips', states: Float64Array.of(1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0) },
      ]);
      expect(model.warnings).toBeUndefined();
    });

    it('closes the deadlocks of dtmc-deadlocks.tra as PRISM does, with a warning', () => {
      const model = read({ tra: text('dtmc-deadlocks.tra') });
      const fixed = read({
        tra: text('dtmc-deadlocks-fixed.tra'),
        lab: text('dtmc-deadlocks-fixed.lab'),
        source: 'dtmc-deadlocks-fixed.tra',
      });
      expect(rows(model)).toEqual(rows(fixed));
      expect(model.labels).toEqual(fixed.labels);
      expect([...model.labels.get('deadlock')!]).toEqual([2, 3, 5]);
      expect(model.warnings).toEqual([
        'the actions of choices were left out: in a chain nothing is chosen',
        '3 states have no transitions and got a self-loop: 2, 3, 5',
      ]);
    });

    it('reads the rewards of lec3, three structures in six files', () => {
      const model = readExplicit({
        tra: text('lec3.tra'),
        srew: [1, 2, 3].map((i) => text(`lec3${i}.srew`)),
        trew: [1, 2, 3].map((i) => text(`lec3${i}.trew`)),
        source: 'lec3.tra',
      });
      expect(model.rewards).toHaveLength(3);
      expect(model.rewards?.[0].name).toBe('r');
      expect(model.rewards?.[0].states?.[0]).toBe(2);
    });

    it('closes the deadlocks of mdp-deadlocks.tra as PRISM does, with a warning', () => {
      const { warnings, ...model } = readModel({ tra: text('mdp-deadlocks.tra') });
      const fixed = readModel({ tra: text('mdp-deadlocks-fixed.tra'), lab: text('mdp-deadlocks-fixed.lab') });
      expect(model).toEqual(fixed);
      expect(warnings).toEqual(['3 states have no transitions and got a self-loop: 2, 3, 5']);
    });

    it.each([['badge.pepa.tra'], ['maze.tra']])('refuses %s by its kind', (name) => {
      expect(() => readExplicit({ tra: text(name), source: name })).toThrow(NotSupportedError);
    });

    /** What PRISM wrote is written again, byte for byte; of a chain without its actions. */
    it.each([
      ['dice', [''], 'dice.pexp'],
      ['dice-deadlock', [], 'dice-deadlock.pexp'],
      ['irobot', [''], 'irobot.pexp'],
      ['mdp_simple', [''], undefined],
      ['lec3', ['1', '2'], undefined],
    ])('writes %s as PRISM does', (name, structures, combined) => {
      const rewards = (extension: string) => structures.map((i) => text(`${name}${i}.${extension}`));
      const sta = existsSync(`${folder}/${name}.sta`) ? { sta: text(`${name}.sta`) } : {};
      const files = {
        tra: text(`${name}.tra`),
        lab: text(`${name}.lab`),
        srew: rewards('srew'),
        trew: rewards('trew'),
        ...sta,
      };
      const written = writeExplicit(readExplicit({ ...files, source: `${name}.tra` }));
      const named = (reward: string) => reward.replace('structure\n', 'structure "reward1"\n');
      expect(written).toEqual({ ...files, srew: files.srew.map(named), trew: files.trew.map(named) });
      if (combined === undefined) return;
      const model = readCombined(text(combined), { source: combined });
      expect(writeCombined(model)).toBe(text(combined));
    });

    it('reads lec9ctl1, a transition system without chance, as a decision process', () => {
      const model = readModel({ tra: text('lec9ctl1.tra'), trew: text('lec9ctl12.trew') }) as Mdp;
      expect([...model.rowGroupStart]).toEqual([0, 2, 4, 5, 6]);
      expect([...model.values]).toEqual([1, 1, 1, 1, 1, 1]);
      expect([...model.rewards![0].branches!]).toEqual([0, 0, 0, 0, 2, 3]);
    });
  });

  it('reads a decision process with the names of its choices', () => {
    const model = readModel({
      tra: MDP,
      srew: '2 1\n0 5\n',
      trew: '2 2 2\n0 0 1 3\n0 1 1 4\n',
    }) as Mdp;
    expect(model.type).toBe('mdp');
    expect([...model.rowGroupStart]).toEqual([0, 2, 3]);
    expect([...model.columns]).toEqual([0, 1, 1, 1]);
    expect([...model.values]).toEqual([0.25, 0.75, 1, 1]);
    expect(model.actions).toEqual({ names: ['a'], ofRow: Uint32Array.of(0, NO_ACTION, NO_ACTION) });
    expect(model.rewards).toEqual([
      { name: 'reward1', states: Float64Array.of(5, 0), branches: Float64Array.of(0, 3, 4, 0) },
    ]);
    expect([...model.labels.get('deadlock')!]).toEqual([1]);
  });

  it('reads intervals, and probabilities among them as intervals of one point', () => {
    const chain = readModel({ tra: '2 3\n0 0 0.25\n0 1 [1/2,0.75]\n1 1 1\n' });
    expect(chain).toMatchObject({
      type: 'idtmc',
      lower: Float64Array.of(0.25, 0.5, 1),
      upper: Float64Array.of(0.25, 0.75, 1),
    });
    const process = readModel({ tra: '1 2 2\n0 0 0 [1,1] a\n0 1 0 [0.5,1] b\n' }) as IntervalMdp;
    expect(process).toMatchObject({ type: 'imdp', lower: Float64Array.of(1, 0.5) });
    expect(process.actions?.names).toEqual(['a', 'b']);
  });

  it.each<[string, RegExp, Partial<ExplicitFiles>]>([
    [
      'a gap between choices',
      /m\.tra:3:3: found choice 2; expected the choices of state 0 to be 0, 1, …/,
      { tra: MDP.replace('0 1 1 1', '0 2 1 1') },
    ],
    [
      'a choice far away',
      /m\.tra:3:3: found 7; expected a choice from 0 to 2/,
      { tra: MDP.replace('0 1 1 1', '0 7 1 1') },
    ],
    [
      'two actions of one choice',
      /m\.tra:4:12: found action b; expected a, as for/,
      { tra: MDP.replace('0.75 a', '0.75 b') },
    ],
    [
      'another number of choices',
      /m\.tra:1:3: the header promises 3 choices, the file has 2/,
      { tra: MDP.replace('2 2 3', '2 3 3') },
    ],
    [
      'half an interval',
      /m\.tra:2:7: found \[0\.25; expected an interval, such as/,
      { tra: MDP.replace('0.25', '[0.25') },
    ],
    [
      'an interval of words',
      /m\.tra:2:7: found \[a,b\]; expected an interval/,
      { tra: MDP.replace('0.25', '[a,b]') },
    ],
    [
      'rewards of a choice that is not there',
      /m\.trew:2:3: found 2; expected a choice from 0 to 1/,
      { tra: MDP, trew: '2 2 1\n0 2 1 3\n' },
    ],
    [
      'rewards of a choice that leads elsewhere',
      /m\.trew:2:5: found a reward for 0 → 0; expected a transition: from 0 to 1/,
      { tra: MDP, trew: '2 2 1\n0 1 0 3\n' },
    ],
    ['rewards of a chain', /m\.trew:1:4: the line ends; expected/, { tra: MDP, trew: '2 0\n' }],
  ])('refuses a decision process with %s', (_, message, files) => {
    expect(() => readModel(files)).toThrow(ParseError);
    expect(() => readModel(files)).toThrow(message);
  });
});

describe('readCombined', () => {
  it('names the line of the file in messages', () => {
    const text = `# Transitions (DTMC)\n${TRA}\n# Labels\n0="init"\n7: 0\n`;
    expect(() => readCombined(text, { source: 'm.pexp' })).toThrow(/^m\.pexp:9:1: found state 7/);
    expect(() => readCombined('dtmc\n', { source: 'm.pexp' })).toThrow(
      /^m\.pexp:1:1: found dtmc; expected a section/,
    );
    expect(() => readCombined('# Labels\n0="init"\n', { source: 'm.pexp' })).toThrow(ParseError);
    expect(() => readCombined('', { source: 'm.pexp' })).toThrow(/found nothing/);
  });
});
