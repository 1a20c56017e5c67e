/**
 * The lists of words that the grammar names by `%`. They are made by combining: each verb in its forms, each "must" with each subject.
 */
const list = (text: string): string[] => text.split('|');
const each = (...parts: (readonly string[])[]): string[] =>
  parts.reduce<string[]>(
    (made, part) => made.flatMap((one) => part.map((other) => `${one} ${other}`.trim())),
    [''],
  );

/** Verbs of movement that need a preposition: base, third person, gerund. */
const MOVES = [
  list('go|goes|going'),
  list('head|heads|heading'),
  list('walk|walks|walking'),
  list('travel|travels|traveling'),
  list('travel|travels|travelling'),
  list('move|moves|moving'),
  list('drive|drives|driving'),
  list('navigate|navigates|navigating'),
  list('proceed|proceeds|proceeding'),
  list('run|runs|running'),
  list('return|returns|returning'),
  list('come|comes|coming'),
  list('get|gets|getting'),
  list('step|steps|stepping'),
  list('continue|continues|continuing'),
];
const TOWARD = list(
  'towards|toward|to|into|in to|inside|on to|over to|back to|straight to|directly to|straight into|through|by|past',
);
/** Verbs with an object: base, third person, gerund, participle. */
const REACH = [
  list('visit|visits|visiting|visited'),
  list('reach|reaches|reaching|reached'),
  list('enter|enters|entering|entered'),
  list('find|finds|finding|found'),
  list('approach|approaches|approaching|approached'),
  list('pass|passes|passing|passed'),
  list('pass through|passes through|passing through|passed through'),
  list('pass by|passes by|passing by|passed by'),
  list('stop by|stops by|stopping by|'),
  list('stop at|stops at|stopping at|'),
  list('stop in|stops in|stopping in|'),
  list('arrive at|arrives at|arriving at|'),
  list('arrive in|arrives in|arriving in|'),
  list('go in|goes in|going in|'),
  list('make your way to|makes its way to|making your way to|'),
  list('make your way into|makes its way into|making your way into|'),
  list('drop by|drops by|dropping by|'),
  list('swing by|swings by|swinging by|'),
  list('stop off at|stops off at|stopping off at|'),
  list('make a stop at|makes a stop at|making a stop at|'),
  list('call at|calls at|calling at|'),
  list('end up in|ends up in|ending up in|'),
  list('end up at|ends up at|ending up at|'),
  list('set foot in|sets foot in|setting foot in|'),
  list('be in|is in|being in|'),
  list('be at|is at|being at|'),
  list('make it to|makes it to|making it to|'),
  list('check|checks|checking|checked'),
  list('check on|checks on|checking on|checked on'),
  list('explore|explores|exploring|explored'),
  list('inspect|inspects|inspecting|inspected'),
  list('tour|tours|touring|toured'),
  list('touch|touches|touching|touched'),
  list('access|accesses|accessing|accessed'),
  list('perform|performs|performing|performed'),
  list('do|does|doing|done'),
  list('revisit|revisits|revisiting|revisited'),
];
const SEE = [
  list('see|sees|seeing|seen'),
  list('observe|observes|observing|observed'),
  list('detect|detects|detecting|detected'),
];
const BASES = [
  ...each(
    MOVES.map(([base]) => base),
    TOWARD,
  ),
  ...REACH.map(([base]) => base),
];
const THIRDS = [
  ...each(
    MOVES.map(([, third]) => third),
    TOWARD,
  ),
  ...REACH.map(([, third]) => third).filter((third) => !/^(?:is|does)\b/.test(third)),
];
const GERUNDS = [
  ...each(
    MOVES.map(([, , gerund]) => gerund),
    TOWARD,
  ),
  ...REACH.map(([, , gerund]) => gerund),
];
const SEEN = SEE.map(([, , , participle]) => participle);
const PARTICIPLES = [...REACH.map(([, , , participle]) => participle).filter((word) => word !== ''), ...SEEN];
const YOU = list('you|the robot|the agent|robot|it|they');

const MUST = list(
  'must|should|shall|have to|has to|need to|needs to|will|ought to|are to|is to|must also|should also|have to also|also have to|also must',
);
const ENSURE = list(
  'make sure|make sure that|ensure|ensure that|be sure|be sure that|see to it that|take care that|it is required that|always make sure|always ensure',
);
const please = [
  'please',
  ...YOU.filter((subject) => !/it|they/.test(subject)),
  ...MUST,
  ...each(YOU, MUST),
  ...ENSURE,
  ...each(ENSURE, YOU),
  ...each(ENSURE, YOU, MUST),
  ...list(
    'make sure to|be sure to|remember to|please make sure to|always make sure to|ensure to|please make sure you|can you|could you|i want you to|you are required to|let',
  ),
];
const NOT = list(
  'must not|should not|shall not|can not|may not|will not|do not|does not|must never|should never|shall never|can never|may never|will never|never|are not allowed to|is not allowed to|are not permitted to|is not permitted to|are never allowed to|is never allowed to|are forbidden to|is forbidden to|must not ever|are not to|have to never|should not ever',
);
const never = [
  ...list(
    'never|do not|do not ever|never ever|not to|to never|to not|please do not|please never|it is forbidden to|it is not allowed to|under no circumstances',
  ),
  ...NOT,
  ...each(YOU, NOT),
  ...each(
    [
      ...ENSURE,
      ...list(
        'while ensuring|while making sure|ensuring|making sure|taking care|while taking care|be careful|careful',
      ),
    ],
    list('not to|to not|to never'),
  ),
  ...each(
    list(
      'while ensuring|while making sure|ensuring|making sure|while ensuring that|ensuring that|making sure that',
    ),
    YOU,
    NOT,
  ),
  ...each(ENSURE, YOU, NOT),
];
const MAY = list(
  'it is okay to|it is ok to|it is fine to|you are welcome to|feel free to|can|may|are allowed to|is allowed to|are permitted to|is permitted to|are free to|can only|may only|are only allowed to|must only|should only',
);
const AVOID = list(
  'avoid|stay away from|keep away from|keep out of|stay out of|bypass|stay clear of|steer clear of|keep clear of|keep off|refrain from',
);
const AVOIDING = list(
  'avoiding|staying away from|keeping away from|keeping out of|staying out of|bypassing|staying clear of|steering clear of',
);

/** The lists, by name. */
export const PHRASES: Readonly<Record<string, readonly string[]>> = {
  please,
  article: list('the|a|an'),
  determiner: list('the|a|an|any|location'),
  goto: [...BASES, ...THIRDS],
  toward: list(
    'towards|toward|only to reach|until you reach|until you get to|until reaching|on your way to|on the way to|to|into|in to|to get to|to reach|to go to|to get into|and into|to enter|to get in|to go into|and end up in|and ends up in|and on to',
  ),
  through: each(
    MOVES.slice(0, 7).flatMap((forms) => forms.slice(0, 2)),
    list('through|via|up through|across|past'),
  ).concat(list('pass through|passes through|cross|crosses')),
  going: [
    ...GERUNDS,
    ...SEE.map(([, , gerund]) => gerund),
    ...each(
      list(
        'you|you have|the robot|the robot has|the agent has|it has|you are|having|you already|you have already',
      ),
      [
        ...BASES,
        ...THIRDS,
        ...PARTICIPLES,
        ...list('been to|been in|been at|gone to|gone through|gone into'),
      ],
    ),
    ...each(list('you|it|the robot'), [...SEE.map(([base]) => base), ...SEE.map(([, third]) => third)]),
    ...each(
      list('you are|the robot is|it is|the agent is|you were|the robot was|being'),
      list('in|at|inside|on'),
    ),
    ...list('visits to|a visit to|any visit to|reaching'),
  ],
  been: PARTICIPLES,
  avoid: [
    ...AVOID,
    ...each(AVOID, GERUNDS),
    ...each(list('always|keep'), AVOID),
    ...each(['keep'], AVOIDING),
  ],
  avoiding: [
    ...AVOIDING,
    ...each(list('while|but|by|whilst'), AVOIDING),
    ...each(list('and|but|but keep|but always|and keep'), [...AVOID, ...AVOIDING]),
    ...each(
      list('without|while not|but not|but without|but never|and without|and not|without ever'),
      GERUNDS,
    ),
    ...list('but not through|not through|and not through|but do not go through|but do not pass through'),
  ],
  never,
  may: ['only', ...MAY, ...each(YOU, MAY)],
  sep: [
    '.',
    ', and',
    ',',
    '. and',
    'but',
    ', but',
    '. also',
    ', also',
    '. but',
    ', and also',
    'and also',
    'while also',
  ],
  then: [
    ...each(
      list('|,|and|, and'),
      list(
        'then|finally|lastly|next|after that|afterwards|afterward|subsequently|then finally|thereafter|eventually then|after this',
      ),
    ),
    ...list('followed by|, followed by|and thereafter|second|thirdly'),
  ],
  anyorder: list(
    'in any order that you like|in any order you prefer|in any order you want|in any order you wish|in any order you choose|in whatever order you like|in whichever order you like|in whichever order you prefer|in whatever order you prefer|in whichever order you want|in whatever order you want|in any sequence|in any order|in arbitrary order|in an arbitrary order|in no particular order|in any order you like|at least once|at some point|eventually|sooner or later|once at least|at least one time|in whatever order|in whichever order|regardless of order|in no specific order|in some order|in any order required',
  ),
  inorder: [
    ...each(
      list('in'),
      list(
        'that|this|the|that specific|this specific|that exact|this exact|the given|the following|the specified|that particular|this particular|exactly this|this strict|that strict',
      ),
      list('order|sequence'),
    ),
    ...list(
      'strictly in this order|strictly in that order|strictly in order|in strict order|in strict sequence|in exactly this order|in exactly that order|in exactly this sequence|in exact order|in the order listed|in the listed order|in the order that is given|in a strict order|in order|in sequence|sequentially|one after another|one after the other|consecutively|in turn|in the order given|in succession|one by one in order',
    ),
  ],
  holds: list(
    'holds|hold|is true|are true|occurs|occur|happens|happen|is enabled|holds true|hold true|becomes true|is the case|has happened|has occurred|have happened|have occurred|happened|occurred|has held|held|is active|is on|takes place',
  ),
  fails: list(
    'does not hold|do not hold|is false|does not occur|does not happen|is not true|is not enabled|is disabled|is not active|is not the case|becomes false',
  ),
  together: list('at the same time|at once|together|simultaneously|at the same step|both|in the same step'),
  whenever: [
    ...list(
      'whenever|in every step in which|in each step in which|for every|everytime|every time|every time that|each time|each time that|any time|any time that|at any time if|if at any time|if ever|always if|always when|in every step where',
    ),
    ...each(list('at any point in time|at any point|at any time|always'), list('if|when')),
  ],
  while: list('while|as long as|so long as|for as long as|during'),
  when: list('when|as soon as|upon|the moment'),
  until: list('until|till|unless|until after'),
  later: list(
    'eventually|at some point|at some point in the future|in the future|sooner or later|at least once in the future|some time in the future|sometime in the future|at a later time|in the future at least once|in the future at least one time|at least once|ultimately',
  ),
  after: list(
    'later|later on|after that|afterwards|afterward|some time later|some time after|some time after that|some time afterwards|sometime after|sometime later|at some point after|at some point after that|after it|after|at some point later|at some point afterwards|at least once after|at least once after that|at least once afterwards|once afterwards|subsequently|thereafter',
  ),
  too: list('too|also|as well|in response|in response to it'),
  now: list(
    'immediately|at the same time|at once|in the same step|at the same step|right then|simultaneously|right away|straight away|promptly|instantly|at the same instant|without delay',
  ),
  next: list(
    'in the next step|at the next step|right after|immediately after|immediately afterwards|next|in the next time step|one step later|at the next time step|right afterwards|directly after|directly afterwards|at the next instant|in the very next step|in the following step|at the next time instant|right after that|immediately after that|in the next time instant|one step after',
  ),
  keep: [
    ...each(
      list('keep|keep on|always keep|never stop|do not stop|do not ever stop|continue|repeatedly keep'),
      [...GERUNDS, 'patrolling', 'going between', 'going back and forth between'],
    ),
    ...each(list('continue to|continuously|repeatedly|perpetually|constantly|endlessly'), BASES),
    ...list(
      'patrol|surveil|monitor|guard|watch over|circulate between|always come back to|always return to|keep coming back to|keep an eye on|frequent|cycle through|loop through|alternate between|you are always visiting',
    ),
  ],
  forever: list(
    'infinitely often|infinitely|an infinite number of times|infinite times|infinitely many times|over and over|over and over again|again and again|repeatedly|forever|without stopping|always|indefinitely|in any order forever|infinitely in any order|without end|endlessly|continuously|time and again|periodically',
  ),
  thing: list('locations|places|waypoints|rooms'),
  endless: list(
    'infinitely often|infinitely|an infinite number of times|infinite times|infinitely many times|over and over|over and over again|again and again|repeatedly|time and again|periodically',
  ),
  atalltimes: list(
    'at any point in time|at any time in the future|for all times|for all time|at all times in the future|at every instant|at every time|at all steps|at each step|at each time step|at every time step|in each step|in all steps|at all points|at all points in time|at every point in time|at every point|always|forever|at all times|at any time|ever|in every step|at every step|throughout|all the time|at all instances|in every time step|at any instant|at every moment|the whole time|throughout the run|at any point',
  ),
  itis: list(
    'it is always the case that|it always holds that|at all times|it must always hold that|it is always true that|it must always be the case that|at every step|in every step|at each step',
  ),
  itisnever: list(
    'it is never the case that|it never holds that|it must never be the case that|it is never true that|it must never happen that|it never happens that|it should never happen that|at no time',
  ),
  mustbe: list('must|should|can|may|has to|have to|needs to|need to|will|is to|are to|shall'),
  mustnot: list(
    'must never|should never|can never|may never|will never|must not|should not|can not|may not|will not|shall not|shall never|must not ever|should not ever|are never|is never|can not ever|must never be allowed to',
  ),
  atmost: list(
    'at most|no more than|not more than|a maximum of|maximum of|up to|at the most|maximally|no more often than',
  ),
  atleast: list(
    'at least|at the least|no fewer than|no less than|not less than|not fewer than|a minimum of|minimum|a total of at least|minimally',
  ),
  nomore: list(
    'no more and no less|no more no less|no more , no less|no less and no more|not more and not less|not more or less|not more nor less|no more or less|no more nor less|neither more nor less|and no more|and not more|no more|not more|and never again|and then never again|never again|and not again|then never again|and no more than that|and no more often|but no more|but not more|but never again|and only that|in total',
  ),
  evermore: list(
    'again|afterwards|afterward|anymore|any more|any longer|ever|ever again|ever after|from then on|for the rest of the run|for the rest of the mission|for the rest of the time|after that|then|forever|thereafter|from that point on|from that moment on|from there on|from now on|later|later on|at any later time|at any later point|subsequently',
  ),
  banned: list(
    'forbidden|prohibited|off limits|not allowed|never allowed|not permitted|never permitted|banned|taboo|out of bounds',
  ),
  fairly: list(
    'fairly|equally often|equally|in a fair manner|in a fair way|the same number of times|equally many times|an equal number of times|in turns|evenly|as often as each other',
  ),
  earlier: list('before|beforehand|earlier|previously|before that|before it|already before'),
  initially: list(
    'initially|at first|at the start|at the beginning|in the beginning|in the first step|at the first step|at the start of the run|at the beginning of the run|in the first time step',
  ),
  atend: list(
    'at the end|in the end|at the end of the run|at the last step|in the last step|when the run ends|in the final step|at the final step',
  ),
  isfalse: list('it is false|it is not the case|it is not true|it does not hold'),
  exactly: list('exactly|precisely|only and exactly|just|exactly only'),
  place: [
    ...each(
      list('|all|all the|the|each of the|all of the|the following|all the following'),
      list('locations|places|waypoints|rooms'),
    ),
    ...list('the following|all of|each of|all'),
  ].flatMap((place) => [place, `${place} ,`, `${place} :`]),
};
