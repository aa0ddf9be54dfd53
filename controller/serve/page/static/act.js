// What can be done: the controller says which actions there are, and does them by the same steps as commands.
import {act, ask} from './api.js';
import {$, el, put, plain, say, text} from './dom.js';
import {byRef, changed, holds, phase, refresh, state, title} from './store.js';
import {waiting} from './plan.js';

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
export const close = () => $('over').close();

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

function field(a) {
  const props = {id: 'ask-' + a.field, required: a.required};
  const input = a.choices ? el('select', props, ...a.choices.map(c => el('option', {value: c}, c))) : el('textarea', {...props, rows: 2});
  return el('div.ask', el('label', {for: 'ask-' + a.field}, a.label), input);
}

// What follows from giving up what others wait for.
function follows(a, ref) {
  if (a.name !== 'abandon') return null;
  const all = waiting(ref.split('/')[1]);
  return all.length ? el('p.warnbox', `${all.length} tasks wait for it and will be broken from their chain: ${all.slice(0, 5).join(', ')}${all.length > 5 ? ', …' : ''}`) : null;
}

/** What it is to allow a call. */
export const allows = c => el('p.quiet', `Allow once: this exact call passes the rule ${c.rule} once, in session ${c.session}.`);

/** Does an action to what a reference names, after asking what it needs to know. */
export async function perform(a, ref) {
  const o = byRef(ref), need = a.needs && proposed(a, ref), said = {args: need?.args};
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
      said[one.field] = input.value.trim();
    }
    const why = await done(a, ref, said, true);
    if (!why) return;
    refusal.hidden = false;
    refusal.textContent = plain(why);
  };
  const box = dialog(`${a.label}: ${title(o)}`, follows(a, ref), need?.what && el('p.say', plain(need.what)), ...(call ? [allows(call), el('pre.raw', plain(call.text))] : []), ...a.asks.map(field), refusal,
    el('div.row', el('button.b.p', {onclick: submit}, a.label, el('kbd', 'Ctrl ↵')), el('button.b', {onclick: close}, 'Cancel', el('kbd', 'Esc'))));
  box.addEventListener('keydown', e => { if (e.key === 'Enter' && (e.ctrlKey || e.metaKey)) submit(); });
}

async function done(a, ref, said, asked) {
  const o = byRef(ref);
  try {
    const {undo} = await act(a.name, {object: target(ref), resourceVersion: o?.metadata.resourceVersion ?? '', ...said});
    if (asked) close();
    tell(a.name === 'undo' ? 'Undone.' : `${a.label}: ${title(o)}.${undo ? ' u takes it back.' : ''}`);
    changed();
    refresh();
    return '';
  } catch (e) {
    const why = e.status === 409 ? e.message + text('wrote').textContent : e.message;
    if (!asked) tell(why, true);
    return why;
  }
}

/** The action of a key for what a reference names. */
export const byKey = (key, ref) => (key === 'u' ? state.me.actions : actionsFor(ref)).find(a => a.key === key);
