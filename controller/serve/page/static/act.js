// What can be done: the controller says which actions there are, and does them by the same steps as commands.
import {act, ask} from './api.js';
import {$, el, cut, put, plain, say, text} from './dom.js';
import {all, byRef, changed, holds, phase, refresh, state, title} from './store.js';
import {shown, waiting} from './plan.js';
import {go} from './route.js';

/** What a command does, in a word. */
export const verb = d => d.verb.split(/ (?:--)?/).pop();
/** The call against the rules that a reference names. */
export const callOf = ref => ref?.startsWith('call/') ? byRef(ref)?.spec : null;
// What an action is done to: for a call it is the session.
const target = ref => callOf(ref) ? 'session/' + callOf(ref).session : ref ?? '';
// How a need or a denial proposes an action, and for what.
const proposed = (a, ref) => callOf(ref) ? a.needs && callOf(ref).denial && !callOf(ref).decision && {args: [callOf(ref).denial], what: ''} : (state.overview?.needs ?? []).flatMap(n => n.about === ref ? (n.actions ?? []).map(d => ({...d, what: n.what})) : []).find(d => verb(d) === a.needs);

/** The to-do list of a session here. */
export const listOf = name => (state.overview?.todos ?? []).find(t => t.metadata.name === name && !t.status.worktree);

/** The actions for what a reference names. @param {string} ref */
export function actionsFor(ref) {
  const o = byRef(ref), kind = target(ref).split('/')[0] + 's';
  return o && !o.broken && phase(o) !== 'Invalid' ? state.me.actions.filter(a => a.kinds?.includes(kind) && (a.needs || !callOf(ref)) && (!a.phases || a.phases.includes(phase(o))) && (!a.needs || proposed(a, ref)) && !(a.name === 'adopt' && !listOf(ref.slice(8))) && !(a.name === 'hold' && holds(ref.slice(5)).length) && !(a.name === 'release' && !holds(ref.slice(5)).length) && !(a.name === 'start' && state.overview?.taken?.[ref.slice(5)])) : [];
}

/** A button for an action; refused says why it would not succeed. */
export const button = (a, ref, first, refused) => el('button', {class: 'b' + (first ? ' p' : ''), disabled: !!refused, title: refused, onclick: () => perform(a, ref)}, a.label, el('kbd', a.key));

/** Buttons for all of them; refused says of some by their names why they would not succeed. */
export const buttons = (ref, refused = {}) => el('div.acts', ...actionsFor(ref).map(a => button(a, ref, false, refused[a.name])));

/** Opens a dialog with some content; Escape closes it. */
export function dialog(label, ...kids) {
  const box = $('over');
  put(box, el('div.dialog', el('h2', label), ...kids));
  box.setAttribute('aria-label', label);
  if (!box.open) box.showModal();
  box.querySelector('textarea, input, select, button').focus();
  return box.firstChild;
}

/** Closes the dialog, and gives the focus back. */
export function close() {
  $('over').close();
  if ($('over').contains(document.activeElement)) document.activeElement.blur(); // else the next key may be typed into it
}

let hide = null;
/** Says something above the page: what went well for a while, what did not until Escape. */
export function tell(text, bad) {
  const n = $('notice');
  clearTimeout(hide);
  if (!bad) hide = setTimeout(() => { n.hidden = true; }, 8000);
  n.textContent = plain(text);
  n.hidden = !text;
  n.classList.toggle('bad', !!bad);
  if (text) say(text);
}

// A list is asked for with one value a line; names of objects can be picked.
function field(a, o) {
  const props = {id: 'ask-' + a.field, required: a.required}, names = a.of && !a.choices ? all(a.of).map(o => [o.metadata.name, title(o)]).sort() : [];
  const option = ([value, words]) => el('option', {value: plain(value)}, cut(words, 60));
  const input = a.choices ? el('select', props, ...a.choices.map(c => option([c, c])))
    : a.of === 'workplans' && !a.list ? el('select', props, option(['', 'the usual one']), ...names.map(option))
    : a.field === 'title' ? el('input', {...props, type: 'text'}) : el('textarea', {...props, rows: a.edit ? 8 : 2, placeholder: a.list ? 'one a line' : null});
  if (a.edit) input.value = o?.spec[a.field] ?? '';
  if (a.field === 'plan') input.value = shown();
  const add = a.list && names.length ? el('input', {list: 'names-' + a.field, 'aria-label': 'Add to: ' + a.label, placeholder: 'name to add', onchange: e => {
    if (!names.some(([n]) => n === e.target.value)) return;
    input.value = [...lines(input.value), e.target.value].join('\n');
    e.target.value = '';
  }}) : null;
  return el('div.ask', el('label', {for: 'ask-' + a.field}, a.label), input, add, add && el('datalist', {id: 'names-' + a.field}, ...names.slice(0, 1000).map(option)));
}

const lines = text => text.split('\n').map(l => l.trim()).filter(Boolean);

// What follows from giving up what others wait for.
function follows(a, ref) {
  if (a.name !== 'abandon') return null;
  const then = waiting(ref.split('/')[1]);
  return then.length ? el('p.warnbox', `${then.length} tasks wait for it and will be broken from their chain: ${then.slice(0, 5).join(', ')}${then.length > 5 ? ', …' : ''}`) : null;
}

/** What it is to allow a call. */
export const allows = c => el('p.quiet', `Allow once: this exact call passes the rule ${c.rule} once, in session ${c.session}.`);

/** Does an action to what a reference names, after asking what it needs to know. */
export async function perform(a, ref) {
  if (!a.kinds) ref = '';
  const o = byRef(ref), need = a.needs && proposed(a, ref), said = {args: need?.args};
  if (a.asks?.some(one => one.edit)) said.resourceVersion = o.metadata.resourceVersion; // what the dialog began with
  let call = null;
  if (a.name === 'allow') { // all of the call is shown before
    try {
      call = (await ask('/q/violations', {name: need.args.at(-1)})).items[0];
    } catch (e) { return tell(e.message, true); }
    if (call.refused) return tell(call.refused, true);
    said.call = call.text;
  }
  if (!a.asks?.length) return done(a, ref, said);
  const refusal = el('p.refusal', {role: 'alert', hidden: true});
  const submit = async () => {
    for (const one of a.asks) {
      const input = $('ask-' + one.field);
      if (one.required && !input.value.trim()) return input.focus();
      said[one.field] = one.list ? lines(input.value) : input.value.trim();
    }
    const why = await done(a, ref, said, true);
    if (!why) return;
    refusal.hidden = false;
    refusal.textContent = plain(why);
    refusal.scrollIntoView({block: 'nearest'});
    if (said.resourceVersion) said.resourceVersion = byRef(ref)?.metadata.resourceVersion;
  };
  const box = dialog(named(a, o), follows(a, ref), need?.what && el('p.say', plain(need.what)), ...(call ? [allows(call), el('pre.raw', plain(call.text))] : []), ...a.asks.map(one => field(one, o)), refusal,
    el('div.row', el('button.b.p', {onclick: submit}, a.label, el('kbd', 'Ctrl ↵')), el('button.b', {onclick: close}, 'Cancel', el('kbd', 'Esc'))));
  box.addEventListener('keydown', e => { if (e.key === 'Enter' && (e.ctrlKey || e.metaKey)) submit(); });
}

const named = (a, o) => o ? `${a.label}: ${title(o)}` : a.label;

async function done(a, ref, said, asked) {
  const o = byRef(ref);
  try {
    const {object, undo} = await act(a.name, {object: target(ref), resourceVersion: o?.metadata.resourceVersion ?? '', ...said});
    if (asked) close();
    tell(a.name === 'undo' ? 'Undone.' : `${o ? named(a, o) : `${a.label}: ${object}`}.${undo ? ' u takes it back.' : ''}`);
    if (makes(a)) go(object.startsWith('tasks/') ? {ref: object.replace('tasks', 'task')} : {screen: 'plan', plan: object.replace('workplans/', ''), ref: ''});
    changed();
    refresh();
    return '';
  } catch (e) {
    const why = e.status === 409 ? e.message + text('wrote').textContent : e.message;
    if (!asked) tell(why, true);
    return why;
  }
}

// Does an action make something new?
const makes = a => !a.kinds && a.asks;
/** Buttons for what makes something new. */
export const makers = () => state.me.actions.filter(makes).map(a => button(a, ''));

/** The action of a key for what a reference names, or for nothing. */
export const byKey = (key, ref) => state.me.actions.find(a => !a.kinds && a.key === key) ?? actionsFor(ref).find(a => a.key === key);
