// The plan: its head, its stages, and its drawing as graph, outline or board.
import {$, el, put, text, sign, cut, SIGN, WORD} from './dom.js';
import {after, all, agentName, agentOn, get, holds, memo, phase, state, title} from './store.js';
import {drawFilter, filtered, nothing} from './filter.js';
import {critical, drawGraph, renew, tasksOf} from './graph.js';
import {makers} from './act.js';
import {go, route, VIEWS} from './route.js';

/** The plan that is shown: the one in the address, that of what is open, the one in focus, the first. */
export function shown() {
  const r = route(), open = r.ref.startsWith('task/') ? get('tasks', r.ref.slice(5)) : null;
  const plans = all('workplans').sort((a, b) => a.metadata.name < b.metadata.name ? -1 : 1);
  const focus = state.overview?.plans?.find(p => p.focus)?.name;
  return [open?.spec.workPlan, r.plan, focus, plans.find(p => phase(p) === 'active')?.metadata.name, plans[0]?.metadata.name].find(n => n && get('workplans', n)) ?? '';
}

/** Tasks that wait for one, near or far. @param {string} name */
export const waiting = name => memo('waiting ' + name, () => {
  const seen = new Set([name]);
  for (const n of seen) for (const m of after(n)) if (!['completed', 'abandoned'].includes(phase(get('tasks', m)))) seen.add(m);
  return [...seen].slice(1);
});

const ORDER = ['completed', 'review', 'active', 'planned', 'failed', 'blocked', 'abandoned'];
const byPhase = (a, b) => ORDER.indexOf(phase(a)) - ORDER.indexOf(phase(b));

/** Tasks of a plan by stage, in the order of its stages. */
const stages = name => memo('stages ' + name, () => {
  const named = [...(get('workplans', name)?.spec.phases ?? [])].sort((a, b) => (a.order ?? 0) - (b.order ?? 0) || (a.name < b.name ? -1 : 1)).map(p => p.name);
  const of = Object.groupBy(tasksOf(name), t => t.spec.phase ?? '');
  return [...named.filter(n => of[n]), ...Object.keys(of).filter(n => !named.includes(n)).sort()].map(n => [n, of[n].sort(byPhase)]);
});

function why(t) {
  const a = agentOn(t.metadata.name), wait = t.status?.blockedBy ?? [];
  if (holds(t.metadata.name).length) return 'held until answered';
  if (a) return agentName(a);
  return phase(t) === 'blocked' ? 'waits for ' + (wait.length > 2 ? wait.length + ' things' : wait.join(', ') || 'its plan') : t.spec.planAhead ? 'planned ahead' : '';
}

const MOST = 400; // rows of an outline, or of a column of the board

function row(t, level, path) {
  const name = t.metadata.name;
  return el('li.leaf', {role: 'treeitem', 'aria-level': level, tabindex: 0, ref: 'task/' + name},
    holds(name).length ? sign('question', SIGN.held) : sign(phase(t)), el('span.t', cut(title(t), 80)), el('span.vh', ', ' + (WORD[phase(t)] ?? phase(t)) + ' '), el('span.y', cut(why(t), 48)), path?.has(name) ? el('span.crit', {title: 'on the critical path'}, '▲') : null);
}

function outline(name, most) {
  const path = new Set(critical(name)), tree = el('ul.tree', {role: 'tree', 'aria-label': 'Plan as an outline'});
  let left = most;
  for (const [stage, all] of stages(name)) {
    const of = filtered('tasks', all);
    if (!of.length) continue;
    if (stage) tree.append(el('li.branch', {role: 'treeitem', 'aria-level': 1, 'aria-expanded': 'true'}, stage));
    for (const t of of.slice(0, Math.max(0, left))) tree.append(row(t, stage ? 2 : 1, path));
    left -= of.length;
  }
  if (left < 0) tree.append(el('li.quiet', {role: 'none'}, `and ${-left} more: / finds them`));
  return tree;
}

// The columns of the board, each with the phases that are folded below it.
const COLUMNS = [['planned', 'Ready', 'blocked', 'failed', 'Invalid'], ['active', 'Active'], ['review', 'In review'], ['completed', 'Done', 'abandoned']];

const byPhases = plan => memo('phases ' + plan, () => Object.groupBy(tasksOf(plan), phase));

// Tasks that are folded until somebody opens them; a filter opens them.
function folded(p, of, most) {
  const {open, filter} = route(), is = open.includes(p), turn = e => { e.preventDefault(); go({open: is ? open.filter(o => o !== p) : [...open, p]}); };
  return of.length ? el('details', {open: is || !!filter}, el('summary', {ref: 'fold/' + p, onclick: filter ? null : turn}, `${of.length} ${p === 'blocked' ? 'wait' : WORD[p]}`),
    is || filter ? cards(WORD[p], of.slice(0, most)) : null) : null;
}

const cards = (label, of) => el('ul', {role: of.length ? 'tree' : null, 'aria-label': label}, ...of.map(t => row(t, 1)));

function board(name, most) {
  const all = Object.groupBy(filtered('tasks', tasksOf(name)), phase);
  return el('div.board', ...COLUMNS.map(([p, label, ...below]) =>
    el('section', {'aria-label': label}, el('h3', `${label} ${all[p]?.length ?? 0}`), cards(label, (all[p] ?? []).slice(0, most / 4)), ...below.map(p => folded(p, all[p] ?? [], most / 4)))));
}

/** The plan's head. */
export function drawTop(name) {
  const plan = get('workplans', name), ts = tasksOf(name), count = p => byPhases(name)[p]?.length ?? 0, path = critical(name);
  $('h-plan').textContent = cut(title(plan) || 'No plan', 90);
  $('plan-sub').textContent = plan ? [name, `${count('completed')} of ${ts.length - count('abandoned')} done`, ...[['active', 'active'], ['review', 'in review'], ['blocked', 'wait']].map(([p, word]) => count(p) && `${count(p)} ${word}`), path.length && `critical path: ${path.length} from here`].filter(Boolean).join(' · ') : '';
  const plans = all('workplans').map(p => p.metadata.name).sort();
  $('which-plan').hidden = plans.length < 2;
  if ($('plans').dataset.of !== plans.join()) { put($('plans'), ...plans.map(p => el('option', {value: p}, cut(p, 40)))); $('plans').dataset.of = plans.join(); }
  $('plans').value = name;
  put($('stages'), ...stages(name).filter(([s]) => s).slice(0, 8).map(([s, of]) => el('div.stage', {role: 'listitem'}, el('b', cut(s, 24)), `  ${of.filter(t => phase(t) === 'completed').length} of ${of.length}`,
    el('div.bar', {'aria-hidden': 'true'}, ...of.slice(0, 40).map(t => el('i', {class: phase(t)}))))));
}

/** The plan. */
export function drawPlan(name) {
  const r = route(), box = $('canvas');
  put($('views'), ...VIEWS.map(([v, label]) => el('button', {'aria-pressed': `${r.view === v}`, ref: 'view/' + v, onclick: () => go({view: v})}, label)));
  if (!name) return put(box, text('no-plan'), el('div.acts.pad', ...makers()));
  const all = tasksOf(name), left = filtered('tasks', all).length;
  if (r.screen === 'plan') drawFilter($('plan-filter'), 'tasks', all, left);
  $('zoom').hidden = $('path').hidden = r.view !== 'graph';
  $('fold').hidden = !r.open.length || r.view !== 'graph';
  const most = box.dataset.of === r.view ? MOST : 60;
  box.dataset.of = r.view;
  if (r.filter && !left) return put(box, nothing(all.length));
  if (r.view === 'graph') return drawGraph(name);
  put(box, (r.view === 'outline' ? outline : board)(name, most));
  if (most < Math.min(MOST, tasksOf(name).length)) setTimeout(() => { drawPlan(name); choose(route().ref); }, 50); // the rest behind the frame
}

/** Shows in the drawing what is open. */
export function choose(ref) {
  for (const e of $('canvas').querySelectorAll(`.sel, [data-ref="${CSS.escape(ref)}"]`)) {
    const is = e.classList.toggle('sel', e.dataset.ref === ref);
    if (e.matches('.leaf')) e.ariaSelected = `${is}`;
  }
  if (route().view === 'graph') renew(shown());
}
