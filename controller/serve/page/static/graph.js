// The plan as a graph: the controller lays it out, once for all who look; here it is drawn.
import {ask} from './api.js';
import {$, svg, clip, SIGN, WORD, put, text} from './dom.js';
import {after, agentOn, all, changed, get, holds, memo, needs, phase, title, version} from './store.js';
import {go, route} from './route.js';
import {filtered} from './filter.js';
import {size} from './zoom.js';

const W = 168, H = 42, GAP = 40, EDGE = 16, TEXT = W - 36;
let laid = null, of = '', signature = '', drawn = '', asking = '', failed = 0, was = {}, last = '', texts = 0;

/** The tasks of a plan. */
export const tasksOf = plan => memo('tasks ' + plan, () => all('tasks').filter(t => t.spec.workPlan === plan).sort((a, b) => a.metadata.name < b.metadata.name ? -1 : 1));

// What the layout hangs on: with more than can be drawn, also what is folded by its phase.
function structure(plan, r) {
  const ts = tasksOf(plan), much = ts.length > 150;
  return [plan, much ? r.ref + r.open : '', memo('structure ' + plan, () => {
    const now = plan + ts.map(t => t.metadata.name + '<' + needs(t) + (much ? phase(t) + t.spec.phase : '')).join('|');
    if (now !== last) { last = now; texts++; }
    return texts;
  })].join('|');
}

async function fetchGraph(plan, r, want) {
  asking = want;
  try {
    const answer = await ask('/q/graphs', {name: plan, selected: r.ref.replace('task/', ''), open: r.open});
    if (asking !== want) return;
    [laid, of, signature] = [answer.items[0].status, plan, want];
  } catch {
    failed = Date.now();
  }
  asking = '';
  changed();
}

const look = n => {
  if (n.tasks?.length) return {phase: n.phase || 'blocked', sub: n.phase === 'completed' ? 'done' : 'folded: Enter opens', cls: 'group'};
  const t = get('tasks', n.name), p = phase(t) || n.phase, a = agentOn(n.name), wait = t?.status?.blockedBy ?? [];
  const ask = a?.spec.state === 'waiting', warn = !ask && (a?.spec.counters?.repeats ?? 0) > 2;
  const who = a ? (a.spec.agent || a.metadata.name) + (ask ? ' · asks you' : warn ? ' · in circles' : '') : n.holder && p === 'active' ? n.holder : '';
  const held = holds(n.name).length > 0;
  const sub = held ? 'held until answered' : who || (p === 'blocked' ? 'waits for ' + (wait.length > 1 ? wait.length + ' things' : wait[0] ?? 'its plan') : WORD[p] ?? p);
  return {phase: p, sub, cls: held ? 'held' : ask ? 'ask' : warn ? 'warn' : '', sign: held ? SIGN.held : ask ? '?' : warn ? '↻' : undefined, title: t ? title(t) : n.title};
};

const edgeState = e => {
  const p = phase(get('tasks', e.from));
  return e.state === 'circle' || !p ? e.state : p === 'completed' ? 'met' : p === 'active' || p === 'review' ? 'hot' : 'wait';
};

function path(e, at, down, step, off) {
  const thick = down ? H : W, pt = (a, c) => down ? `${c} ${a}` : `${a} ${c}`;
  const from = at[e.from], to = at[e.to], rank = r => EDGE + r * step;
  const place = p => (down ? p.down : p.across) + off;
  let a = rank(from.rank) + thick, c = place(from.at), d = 'M' + pt(a, c);
  const steps = [...(e.via ?? []).map((p, i) => [from.rank + 1 + i, place(p), true]), [to.rank, place(to.at), false]];
  for (const [r, c2, through] of steps) {
    const b = rank(r), m = (a + b) / 2;
    d += ` C${pt(m, c)} ${pt(m, c2)} ${pt(b, c2)}`;
    if (through) d += ' L' + pt(b + thick, c2);
    a = b + thick;
    c = c2;
  }
  return d;
}

function node(n, off, x, y) {
  const l = look(n), name = n.tasks?.length ? n.title : l.title, short = clip(name, TEXT - (n.critical ? 14 : 0), '500 12.5px'), word = WORD[l.phase] ?? l.phase;
  return svg('g', {class: `node ${l.phase} ${l.cls}${n.critical ? ' critical' : ''}${off ? ' off' : ''}`, transform: `translate(${x} ${y})`, tabindex: 0, role: 'button', 'data-ref': (n.tasks?.length ? 'group/' : 'task/') + n.name, 'aria-label': [`${short}, ${l.sub}`, short !== name && name, word !== l.sub && word, n.critical && 'on the critical path'].filter(Boolean).join(', ')},
    svg('rect', {width: W, height: H, rx: 9}), svg('text', {class: 'sg', x: 11, y: 26}, l.sign ?? SIGN[l.phase] ?? '·'), ' ', svg('text', {x: 29, y: 18}, short), ' ', svg('text', {class: 'sm', x: 29, y: 33}, clip(l.sub, TEXT, '400 11px')), n.critical ? svg('text', {class: 'cr', x: W - 18, y: 17, 'aria-hidden': 'true'}, '▲') : null);
}

// Does the critical path lead through two nodes, one of which stands for several tasks?
const folded = (a, b) => a.critical && b.critical && (a.tasks?.length || b.tasks?.length);

// What leads to something and from it.
const chain = (edges, name) => new Set([['from', 'to'], ['to', 'from']].flatMap(([a, b]) => {
  const seen = new Set([name]);
  for (const at of seen) for (const e of edges) if (e[a] === at) seen.add(e[b]);
  return [...seen];
}));

/** Asks for a plan's graph where it is another one by now. */
export function renew(plan) {
  const r = route(), want = structure(plan, r);
  if (plan && want !== signature && want !== asking && Date.now() - failed > 2000) fetchGraph(plan, r, want);
}

/** Draws a plan's graph into the canvas. */
export function drawGraph(plan) {
  const r = route(), box = $('canvas');
  if (!laid || of !== plan) return put(box, text(failed ? 'no-graph' : 'no-layout'));
  if (!laid.ranks) return put(box, text('no-tasks'));
  const g = laid, room = memo('size ' + [plan, r.screen, !!r.ref, innerWidth, innerHeight], () => [box.clientWidth, box.clientHeight]); // to ask lays all out
  const down = room[0] < 32 + g.ranks * (W + GAP), thick = down ? H : W;
  const gap = down ? Math.max(26, Math.min(44, (room[1] - 32 - g.ranks * H) / Math.max(1, g.ranks - 1))) : GAP, step = Math.round(thick + gap);
  const at = Object.fromEntries(g.nodes.map(n => [n.name, n])), half = (down ? W : H) / 2;
  const places = [...g.nodes.map(n => (down ? n.at.down : n.at.across) + half), ...g.edges.flatMap(e => (e.via ?? []).map(p => (down ? p.down : p.across) + 9))];
  const across = Math.max(half * 2, ...places) + 2 * EDGE, along = 2 * EDGE + g.ranks * step - Math.round(gap);
  const [width, height] = down ? [across, along] : [along, across];
  const keep = r.near && r.ref ? chain(g.edges, r.ref.replace('task/', '')) : null;
  const key = [version, signature, width, height, keep && r.ref, r.filter].join();
  if (was.key === key) { put(box, was.root); return size(plan, was.root, room); }
  const hits = r.filter && new Set(filtered('tasks', tasksOf(plan)).map(t => t.metadata.name)); // the others are drawn faint
  const steps = new Set(g.critical?.slice(1).map((n, i) => g.critical[i] + ' ' + n));
  const root = svg('svg', {viewBox: `0 0 ${width} ${height}`, role: 'group', 'aria-label': 'Plan as a graph; the outline says the same in words'});
  for (const last of [false, true]) for (const e of g.edges) {
    const s = edgeState(e);
    if ((s === 'hot') === last && (!keep || keep.has(e.from) && keep.has(e.to))) root.append(svg('path', {class: `edge ${s}${e.gate ? ' gate' : ''}${steps.has(e.from + ' ' + e.to) || folded(at[e.from], at[e.to]) ? ' crit' : ''}`, d: path(e, at, down, step, EDGE)}));
  }
  for (const n of g.nodes) {
    if (keep && !keep.has(n.name)) continue;
    const c = (down ? n.at.down : n.at.across) + EDGE - half, a = EDGE + n.rank * step;
    root.append(node(n, hits && !(n.tasks?.length ? n.tasks : [n.name]).some(t => hits.has(t)), ...(down ? [c, a] : [a, c])));
  }
  const left = box.scrollLeft, fresh = drawn !== signature;
  size(plan, root, room);
  put(box, root);
  was = {key, root};
  box.scrollLeft = left;
  if (fresh) (root.querySelector('.sel') ?? root.querySelector('.active') ?? root.querySelector('.planned'))?.scrollIntoView({block: 'nearest', inline: 'center'});
  drawn = signature;
}

/** The critical path of the plan that was laid out last. */
export const critical = plan => of === plan ? laid?.critical ?? [] : [];

const HUE = {completed: '--done', active: '--act', review: '--rev', planned: '--ready', failed: '--fail', abandoned: '--line'};

/** A strip with a cell for each task of a large plan: a click goes there. */
export function drawStrip(plan, screen) {
  const c = $('strip'), ts = tasksOf(plan);
  c.hidden = ts.length <= 150;
  if (c.hidden) return;
  const style = getComputedStyle(document.documentElement);
  const cells = memo('cells ' + plan, () => { const rank = ranks(ts); return [...ts].sort((a, b) => rank[a.metadata.name] - rank[b.metadata.name]); });
  c.width = memo('strip ' + [screen, innerWidth], () => c.clientWidth);
  const x = c.getContext('2d'), w = c.width / ts.length;
  for (let i = 0, end; i < cells.length; i = end) { // neighbours of one colour are one box
    for (end = i + 1; end < cells.length && phase(cells[end]) === phase(cells[i]);) end++;
    x.fillStyle = style.getPropertyValue(HUE[phase(cells[i])] ?? '--line2');
    x.fillRect(i * w, 0, Math.max(1, (end - i) * w), c.height);
  }
  c.onclick = e => go({ref: 'task/' + cells[Math.min(cells.length - 1, Math.floor(e.offsetX / w))].metadata.name});
}

// The longest way to each task; what stands in a circle stays at the begin.
function ranks(ts) {
  const rank = {}, left = {}, ready = [];
  for (const t of ts) rank[t.metadata.name] = 0;
  for (const n in rank) if (!(left[n] = needs(get('tasks', n)).filter(m => m in rank).length)) ready.push(n);
  for (const n of ready) for (const m of after(n)) if (m in rank) { rank[m] = Math.max(rank[m], rank[n] + 1); if (!--left[m]) ready.push(m); }
  return rank;
}
