import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { build } from '../../../bindings/solvers/exploration/index.js';
import { parseModel } from '../../../bindings/solvers/formats/index.js';
import { sharedData } from '../../shared.js';
import { buildBoth, builtByBoth } from './sameModel.js';

const counter = (last: number, more = ''): string => `dtmc
module counter
  x : [0..${last}];
  [] x<${last} -> 1/3 : (x'=x+1) + 2/3 : (x'=0);
endmodule
label "end" = x=${last};
rewards "steps" true : 1; x>2 : x/2; endrewards
${more}`;

describe('both backends build the same model', () => {
  it('of a chain, with labels, rewards and a deadlock', () => {
    const { model, deadlocks } = builtByBoth(counter(5000));
    expect(model.states).toBe(5001);
    expect(deadlocks).toBe(1);
    expect(model.labels.get('end')?.count()).toBe(1);
    expect(model.rewards?.[0].states?.[4]).toBe(3);
  });

  it('of a process whose modules synchronise, take several choices, and have probabilities that depend on the state', () => {
    const { model } = builtByBoth(`mdp
const int N = 6;
global g : bool;
formula busy = x=2 | y=N;
module first
  x : [-2..N];
  [go] x<N -> (x+3)/20 : (x'=x+1) + 1-(x+3)/20 : true;
  [go] x>0 & !busy -> (x'=-2);
  [] g -> (g'=false) & (x'=max(x-1,-2));
endmodule
module second
  y : [0..N];
  b : bool;
  [go] !b & y<N -> 0.5 : (y'=y+1) & (b'=y=3) + 0.25 : (b'=true) + 0.25 : true;
  [go] b -> (b'=false);
  [stop] y=N | b -> (y'=0);
  [] !g -> y/N : (g'=true) + 1-y/N : true;
endmodule
rewards "gone" [go] x>=0 : x; [go] b : 0.1; [] true : 2; [stop] true : y; x=1 : 7; endrewards
label "busy" = busy;
`);
    expect(model.states).toBeGreaterThan(100);
  });

  it.each(['dtmc', 'mdp'])('of every operator and function (%s)', (type) => {
    builtByBoth(`${type}
const double half = 0.5;
const bool yes = true;
module every
  x : [-3..4];
  y : [1..3];
  b : bool;
  c : bool;
  [] x+y*2-1<=6 & (b | !c) => x!=0 -> (x'=max(-3,min(4,y-x,x+2))) & (b'=x>=y);
  [] (b <=> c) & (b = c) & !(b != c) -> (x'=mod(x,y)+0) & (c'=!c);
  [] mod(x+3,2)=1 & yes -> (y'=min(3,max(1,floor(x/y)+2))) & (b'=x<y?c:!b);
  [] pow(y,2)>half^-1 & x^2<9 -> (x'=min(4,max(-3,ceil(-x*1.5)))) & (c'=log(y,2)>1);
  [] round(x/2)=1 | round(-x/4)=0 -> (y'=b?1:x>0?2:3);
  [] 1/x<0 & 1/(-x)>0 -> (x'=-x) & (b'=0.1+0.2=0.3);
  [] 1/(x*0)>0 -> (c'=false) & (x'=0);
  [] x>0 & mod(y-2,x)>=0 -> (y'=mod(y,3)+1);
  [] x>0 & mod(y,x)=1 | x>=0 & 2^x>4 => x>=-1 & pow(y,x+1)=9 -> (y'=min(3,pow(y,max(0,x))));
endmodule
rewards true : x/y+pow(1.0*y,x); [] b : mod(x,y)*1.1; endrewards
label "l" = min(x,y,2)=max(x,-1) | floor(x*half)=ceil(y*half);
`);
  });

  it('where variables are wide, fill whole words, or have no range', () => {
    const { model } = builtByBoth(`dtmc
module wide
  a : int init -2147483640;
  b : [0..4294967295] init 4294967290;
  c : [0..65535];
  d : [-2147483648..2147483647];
  e : bool;
  [] a<-2147483630 -> (a'=a+1) & (b'=b-1) & (c'=c+7) & (d'=-d-1) & (e'=!e);
endmodule
label "low" = b<4294967285 & a>-2147483638;
`);
    expect(model.states).toBe(11);
  });

  it('where a state has more successors than the buffers hold', () => {
    const module = (name: string): string => `module m${name}
  x${name} : [0..26];
  [all] x${name}=0 -> ${Array.from({ length: 27 }, (_, i) => `1/27 : (x${name}'=${i})`).join(' + ')};
endmodule`;
    const { model } = builtByBoth(`dtmc\n${['1', '2', '3'].map(module).join('\n')}`);
    expect(model.states).toBe(19683);
  });

  it('where expressions are long, and commands are many', () => {
    const commands = Array.from({ length: 1500 }, (_, i) => `  [go] x=${i} -> (x'=${i + 1});`);
    const { model } = builtByBoth(`mdp
module many
  x : [0..1500];
${commands.join('\n')}
endmodule
module long
  y : [0..3];
  [go] ${'y+'.repeat(1500)}1>0 -> (y'=mod(y+1,4));
  [] y=2 & x>1400 -> (y'=0);
endmodule`);
    expect(model.states).toBeGreaterThan(1501);
  });

  it('where there are several initial states, found in the order of their values', () => {
    const { model, variables } = builtByBoth(`dtmc
module m x : [0..9]; y : [0..9]; [] x>y -> (x'=x-1) & (y'=y+1); endmodule
init x+y=9 endinit`);
    expect(model.initial.length).toBe(10);
    const values = new Float64Array(2);
    variables.read(0, values);
    expect([...values]).toEqual([0, 9]);
  });

  sharedData('qvbs/instances.json', (path) => {
    const folder = path.slice(0, path.lastIndexOf('/'));
    const instances: { model: string; constants: Record<string, number>; states: number }[] = JSON.parse(
      readFileSync(path, 'utf8'),
    );
    // All up to 100,000 states agree too, in a minute: SHARED_STATES=100000.
    const limit = Number(process.env.SHARED_STATES ?? 3_000);
    const small = new Map(
      instances
        .filter(({ states }) => states <= limit)
        .map((instance) => [`${instance.model} ${JSON.stringify(instance.constants)}`, instance]),
    );
    it.each([...small])('of %s', (_, { model, constants, states }) => {
      const source = readFileSync(`${folder}/${model}`, 'utf8');
      expect(builtByBoth(source, { constants }).model.states).toBeGreaterThanOrEqual(states);
    });
  });
});

describe('both backends report the same error', () => {
  it.each([
    [
      'an integer that leaves its range',
      "x : [0..5]; [] true -> (x'=x+1);",
      /x becomes 6, outside its range/,
    ],
    ['a double that leaves its range', "x : [0..5]; [] true -> (x'=floor((x+1)*1.5));", /outside its range/],
    [
      'an integer power with a negative exponent',
      "x : [0..5]; [] pow(2,2-x)>0 -> (x'=x+1);",
      /the exponent -1 of an integer power is negative/,
    ],
    ['probabilities that do not sum to 1', "x : [0..5]; [] x<5 -> x/5 : true + 0.3 : (x'=x+1);", /sum to/],
    [
      'constants that do not sum to 1',
      "x : [0..5]; [] x=0 -> (x'=1); [] x=1 -> 0.4:true+0.5:(x'=2);",
      /sum to 0.9/,
    ],
    ['a probability above 1', "x : [0..5]; [] true -> x : (x'=1) + 1-x : (x'=x+2);", /probability is/],
    [
      'a negative probability',
      "x : [0..5]; [] x=0 -> (x'=2); [] x=2 -> 1-x : true + x : true;",
      /probability is/,
    ],
    [
      'an update by an integer power with a negative exponent',
      "x : [0..5]; [] true -> (x'=min(5,x+floor(pow(1,3-x)+0.5)));",
      /both\.prism:1:\d+: the exponent -1 of an integer power is negative.*, in state \(x=4\)\n/,
    ],
    [
      'mod by zero in an update',
      "x : [0..3] init 3; [] true -> (x'=x-1+mod(3,x)*0);",
      /both\.prism:1:\d+: mod by 0, which is not positive, in state \(x=0\)\n/,
    ],
    [
      'mod by a negative number in a guard',
      "x : [0..3]; y : [0..1]; [] mod(y+1,2-x)=0 & x=3 -> true; [] x<3 -> (x'=x+1);",
      /mod by 0, which is not positive, in state \(x=2, y=0\)\n/,
    ],
    [
      'mod by zero in a probability',
      "x : [0..3]; [] true -> mod(1,2-x)/2 : (x'=x) + 1-mod(1,2-x)/2 : (x'=x+1);",
      /mod by 0, which is not positive, in state \(x=2\)\n/,
    ],
    [
      'mod by zero in a label',
      'x : [0..3]; [] x<3 -> (x\'=x+1); endmodule label "l" = mod(1,2-x)=1; module n',
      /mod by 0, which is not positive, in state \(x=2\)\n/,
    ],
    [
      'mod by zero in a reward',
      "x : [0..3]; [] x<3 -> (x'=x+1); endmodule rewards true : mod(1,2-x); endrewards module n",
      /mod by 0, which is not positive, in state \(x=2\)\n/,
    ],
    [
      'mod by zero in init',
      'x : [0..3]; [] true -> true; endmodule init mod(1,x)=1 endinit module n',
      /mod by 0, which is not positive, in state \(x=0\)\n/,
    ],
    [
      'a division by zero',
      "x : [0..5]; [] true -> 1/(2-x) : (x'=x+1) + 1-1/(2-x) : true;",
      /the probability is Infinity, in state \(x=2\)/,
    ],
  ])('on %s', (_, body, message) => {
    const error = buildBoth(`mdp module m ${body} endmodule`);
    expect(error).toBeInstanceOf(Error);
    expect(String(error)).toMatch(message);
  });

  it('only where the command that is wrong can happen', () => {
    const { model } = builtByBoth(`mdp
module one x : [0..1]; [a] true -> (x'=x+1); endmodule
module two y : [0..1]; [a] x=0 -> true; endmodule`);
    expect(model.states).toBe(2);
  });

  it('on probabilities of commands that happen together', () => {
    const error = buildBoth(`dtmc
module one x : [0..3]; [a] x<3 -> x/2 : (x'=x+1) + 1-x/2 : true; [b] x<2 -> (x'=x+1); endmodule
module two y : [0..3]; [a] true -> 0.5 : (y'=min(3,y+x)) + 0.5 : true; [b] y=0 -> true; endmodule
module three z : [0..3]; [b] true -> (z'=z+2); endmodule`);
    expect(String(error)).toMatch(/z becomes 4/);
  });
});

describe('which backend is used', () => {
  afterEach(() => vi.unstubAllGlobals());

  it('is closures for small models and WebAssembly for larger ones', () => {
    expect(build(parseModel(counter(100))).backend).toBe('closures');
    expect(build(parseModel(counter(2000))).backend).toBe('wasm');
  });

  it('is closures where the runtime compiles no bytes', () => {
    const bytes = parseModel(counter(2000));
    const expected = build(bytes, { backend: 'wasm' });
    class Refusing {
      constructor() {
        throw new WebAssembly.CompileError('code generation is disallowed');
      }
    }
    const { validate, CompileError, LinkError } = WebAssembly;
    vi.stubGlobal('WebAssembly', { validate, CompileError, LinkError, Module: Refusing });
    const refused = build(bytes, { backend: 'wasm' });
    vi.stubGlobal('WebAssembly', undefined);
    const absent = build(bytes);
    expect([refused.backend, absent.backend]).toEqual(['closures', 'closures']);
    expect(refused.model.columns).toEqual(expected.model.columns);
    expect(absent.model.columns).toEqual(expected.model.columns);
  });

  it('is closures for intervals and for exact fractions', () => {
    const interval = `dtmc module m x : [0..2]; [] x<2 -> [0.1,0.5] : (x'=x+1) + [0.5,0.9] : true; endmodule`;
    expect(build(parseModel(interval), { backend: 'wasm' }).backend).toBe('closures');
    expect(build(parseModel(counter(2000)), { exact: true }).backend).toBe('closures');
  });
});
