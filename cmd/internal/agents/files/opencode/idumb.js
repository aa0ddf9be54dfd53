// iDumb for OpenCode. This plugin decides nothing: it passes OpenCode's hooks on to one lasting
// `idumb-hook opencode --stdio`, a JSON line each way, and does what the answer says. It throws only
// to deny a tool call; it never writes to standard output, which is OpenCode's; no call waits for
// longer than its time. OpenCode takes exactly one export, a function.
import { spawn } from "node:child_process"
import { accessSync, appendFileSync, constants, existsSync, readFileSync, statSync } from "node:fs"
import { delimiter, dirname, join } from "node:path"

// The command line up to "opencode", if the installer found one that is not in PATH.
const INSTALLED = []

// Milliseconds that a call may take.
const GATE = 1500, TURN = 1000, READ = 50, LOOKUP = 200
// After so many failures in a row nothing is asked for a while.
const FAILURES = 3, REST = 30_000
// How long a program that is not there is not looked for again.
const LOOK = 2000
// How long a program that is not there may be on its way of being replaced.
const SWAP = 100
const MAX_LINE = 64 << 20
// So much of the output of a command that failed is passed on, in characters.
const OUTPUT = 16 << 10
// Outputs of the last messages always stay; smaller ones are not worth a word.
const KEEP_MESSAGES = 6, SMALL = 200
// Under `opencode run` OpenCode ends with the turn: nothing can go on after it.
const RUN = process.argv.slice(2).find((a) => !a.startsWith("-")) === "run"

const READS = new Set(["read", "grep", "glob", "list", "lsp", "skill", "todoread", "todowrite", "webfetch", "websearch", "codesearch", "question", "plan_enter", "plan_exit"])
const GOVERNED = /^(write|edit|multiedit|patch|apply_patch|bash|shell|.*_(write|edit|create|delete|move|copy)_file)$/
const OWN = /^idumb_/
const INTERNAL = /^You are a (title generator|context summarization agent)/
const TOLD = new Set(["session.created", "session.idle", "session.compacted", "session.deleted", "session.error", "message.updated", "permission.asked", "permission.replied"])

const wait = (ms) => new Promise((done) => setTimeout(done, ms))
const isObject = (v) => v !== null && typeof v === "object" && !Array.isArray(v)
const text = (v) => (typeof v === "string" ? v : "")
const list = (v) => (Array.isArray(v) ? v : [])

// program returns where a program stands, null if there is none.
const program = (name) => {
  if (/[\\/]/.test(name)) return existsSync(name) ? name : null
  const names = process.platform === "win32" ? [name + ".exe", name] : [name]
  for (const dir of (process.env.PATH ?? "").split(delimiter)) {
    for (const n of dir ? names : []) {
      try {
        const path = join(dir, n)
        accessSync(path, constants.X_OK)
        if (statSync(path).isFile()) return path
      } catch {}
    }
  }
  return null
}

// command finds the hook's command line, null if the hook is not on this machine.
const command = () => {
  const ways = [[process.env.IDUMB_HOOK ?? ""], INSTALLED, ["idumb-hook"], ["idumb", "hook"]]
  for (const [name, ...rest] of ways) {
    const path = name ? program(name) : null
    if (path) return [path, ...rest, "opencode", "--stdio"]
  }
  return null
}

// identity tells a program from another one that took its place, "" if it is gone.
const identity = (path) => {
  try {
    const { ino, mtimeMs, size } = statSync(path)
    return `${ino} ${mtimeMs} ${size}`
  } catch {
    return ""
  }
}

// governed returns the folder above directory that holds .idumb, null if nothing is governed there.
const governed = (directory) => {
  for (let at = directory; ; at = dirname(at)) {
    if (existsSync(join(at, ".idumb"))) return at
    if (existsSync(join(at, ".git")) || dirname(at) === at) return null
  }
}

// configuredMode reads the mode as the hook would, for when the hook does not answer: enforce if in doubt.
const configuredMode = (directory) => {
  const override = { enforce: "enforce", 1: "enforce", true: "enforce", log: "log", off: "off", 0: "off", false: "off" }[(process.env.IDUMB_ENFORCE ?? "").trim().toLowerCase()]
  if (override) return override
  const root = governed(directory)
  if (!root) return "off"
  try {
    const mode = JSON.parse(readFileSync(join(root, ".idumb", "config.json"), "utf8")).spec?.mode
    return mode === "log" || mode === "off" ? mode : "enforce"
  } catch {
    return "enforce"
  }
}

// connect keeps the lasting child. ask() never rejects: it comes to {answer} or to {why}, which is "gone" where
// there is no hook on this machine, "resting" where it is not asked for a while, or else what went wrong.
const connect = (directory, opened, log) => {
  let child = null, ids = 0, failures = 0, restUntil = 0, startAfter = 0, lookAfter = 0, closed = false

  const stop = (c) => {
    if (child === c) child = null
    try { c.process.kill("SIGKILL") } catch {}
  }
  const lose = (c, why) => {
    if (child === c) child = null
    const pending = [...c.pending.values()]
    c.pending.clear()
    for (const done of pending) done({ why })
  }
  const receive = (c, chunk) => {
    c.rest += chunk
    for (let end; (end = c.rest.indexOf("\n")) >= 0; ) {
      const line = c.rest.slice(0, end)
      c.rest = c.rest.slice(end + 1)
      let answer = null
      try { answer = JSON.parse(line) } catch {}
      if (!isObject(answer) || typeof answer.id !== "number") { lose(c, "garbage"); return stop(c) }
      c.heard = Date.now()
      const done = c.pending.get(answer.id)
      c.pending.delete(answer.id)
      done?.({ answer })
    }
    if (c.rest.length > MAX_LINE) { lose(c, "garbage"); stop(c) }
  }
  const start = () => {
    const words = command()
    if (!words) { lookAfter = Date.now() + LOOK; return null }
    const p = spawn(words[0], words.slice(1), { cwd: directory, stdio: ["pipe", "pipe", "ignore"], windowsHide: true })
    const c = { process: p, path: words[0], identity: identity(words[0]), pending: new Map(), rest: "", heard: 0 }
    p.on("error", (e) => lose(c, e.code ?? "error"))
    p.on("exit", (code, signal) => lose(c, "ended " + (signal ?? code)))
    p.stdin.on("error", () => {})
    p.stdout.on("error", () => {})
    p.stdout.setEncoding("utf8")
    p.stdout.on("data", (chunk) => receive(c, chunk))
    p.unref()
    p.stdin.unref?.()
    p.stdout.unref?.()
    return (child = c)
  }
  const replaced = (c) => identity(c.path) !== c.identity
  // retire lets a child answer what it was asked, and then end.
  const retire = (c) => {
    child = null
    try { c.process.stdin.end() } catch {}
    setTimeout(() => stop(c), GATE).unref?.()
  }
  const settle = (result) => {
    if (result.answer) { failures = 0; startAfter = 0; return result }
    failures++
    startAfter = Date.now() + 50 * 2 ** Math.min(failures - 1, 6)
    if (failures >= FAILURES) { failures = 0; restUntil = Date.now() + REST; opened(result.why) }
    return result
  }

  const ask = async (hook, data, ms) => {
    const began = Date.now()
    if (closed) return { why: "closed" }
    if (began < restUntil) return { why: "resting" }
    // A program that was taken away or brought up to date must not live on in its child.
    if (child && replaced(child)) {
      if (!existsSync(child.path)) await wait(SWAP)
      if (child && replaced(child)) retire(child)
    }
    if (!child && began < lookAfter) return { why: "gone" }
    if (!child && began < startAfter) await wait(Math.min(startAfter - began, ms / 2))
    let c = child
    try { c ??= start() } catch (e) { return settle({ why: String(e?.code ?? e) }) }
    if (!c) return { why: "gone" }
    const id = ++ids
    const result = await new Promise((done) => {
      // The answer may lie in the pipe while OpenCode was busy: it is read before time is up.
      const timer = setTimeout(() => setImmediate(() => setTimeout(() => { if (c.pending.delete(id)) done({ why: "timeout" }) }, 5)), Math.max(ms - (Date.now() - began), 1))
      c.pending.set(id, (r) => { clearTimeout(timer); done(r) })
      try { c.process.stdin.write(JSON.stringify({ id, hook, ...data }) + "\n") } catch (e) { c.pending.delete(id); clearTimeout(timer); done({ why: String(e) }) }
    })
    if (result.why === "timeout" && c.heard < began) { lose(c, "timeout"); stop(c) } // it hangs altogether
    log({ hook, ms: Date.now() - began, why: result.why })
    return settle(result)
  }
  const close = () => {
    closed = true
    const c = child
    try { c?.process.stdin.end() } catch {}
    if (c) setTimeout(() => stop(c), 300).unref?.()
  }
  return { ask, close, resting: () => Date.now() < restUntil }
}

// refusal is what the agent reads where the hook fails on a write: the same four parts as every denial.
const refusal = (tool, why) => [
  `GOVERNANCE BLOCK: ${tool} denied`, "",
  `WHAT: You tried to use "${tool}" but iDumb, which governs this repository, does not answer.`,
  `WHY: Nobody can say whether this write is in order (${why}), and the mode is "enforce".`,
  "USE INSTEAD: Run `idumb doctor` and tell the person what it says. Reading goes on as before.",
  `EVIDENCE: two calls of idumb-hook failed: ${why}`,
].join("\n")

// permitAsShell lets what a person said of the shell hold for our own tool that runs a
// command line. Patterns of commands are not known to such a tool: they come to one answer.
const permitAsShell = (owner) => {
  const tool = "idumb_govern_shell"
  if (owner?.tools?.bash === false && owner.tools[tool] === undefined) owner.tools[tool] = false
  const permission = owner?.permission
  if (!isObject(permission) || permission.bash === undefined || permission[tool] !== undefined) return
  const said = isObject(permission.bash) ? Object.values(permission.bash) : [permission.bash]
  const all = (answer) => said.every((s) => s === answer)
  permission[tool] = all("allow") ? "allow" : all("deny") || permission.bash["*"] === "deny" ? "deny" : "ask"
}

export const idumb = async ({ client, directory }) => {
  const sessions = new Map()
  const toasted = new Map()
  let mode = "" // as the hook said last
  let off = false // the hook is not on this machine
  let offTold = false

  const log = (record) => {
    const file = process.env.IDUMB_SHIM_LOG
    try { if (file) appendFileSync(file, JSON.stringify(record) + "\n") } catch {}
  }
  const complain = (where, e) => {
    log({ where, error: String(e?.stack ?? e) })
    try { client.app.log({ body: { service: "idumb", level: "error", message: `${where}: ${e}` } })?.catch?.(() => {}) } catch {}
  }
  const toast = (message, variant = "info") => {
    if (!message || Date.now() < (toasted.get(message) ?? 0)) return
    if (toasted.size > 200) toasted.clear()
    toasted.set(message, Date.now() + 60_000)
    try { client.tui.showToast({ body: { title: "iDumb", message: message.slice(0, 300), variant } })?.catch?.(() => {}) } catch {}
  }
  // guard: a hook that throws would end the person's turn.
  const guard = (name, f) => async (input, output) => {
    try { await f(input, output) } catch (e) { complain(name, e) }
  }

  const hook = connect(directory, (why) => {
    toast(`idumb-hook fails (${why}); it is asked again in ${REST / 1000} s. Until then writes are ${knownMode() === "enforce" ? "denied" : "not governed"}. See idumb doctor.`, "error")
  }, log)
  const knownMode = () => mode || configuredMode(directory)

  const session = (id) => {
    if (!sessions.has(id)) sessions.set(id, { id, parent: "", agent: "", name: "", known: false, reads: false, notes: new Map(), told: new Map(), pruned: new Map() })
    return sessions.get(id)
  }
  // who completes what is known of a session: after a restart its beginning was not seen.
  const who = async (id) => {
    const s = session(id)
    if (s.known) return s
    s.known = true
    try {
      const found = await Promise.race([client.session.get({ path: { id } }), wait(LOOKUP)])
      if (found?.data) {
        s.parent ||= text(found.data.parentID)
        s.agent ||= text(found.data.agent)
      } else s.known = false
    } catch { s.known = false }
    return s
  }
  const about = (s) => ({ session: s.id, parent: s.parent, agent: s.agent, directory })

  // ask passes something on about a session, and keeps what the answer says of it.
  const ask = async (s, name, data, ms) => {
    const result = await hook.ask(name, { ...about(s), ...data }, ms)
    const a = result.answer
    if (result.why === "gone") goneNow()
    if (!a) return result
    off = false
    mode = text(a.mode) || (a.governed ? mode : "")
    s.name = text(a.name) || s.name
    if (typeof a.reads === "boolean") s.reads = a.reads
    if (typeof a.window === "number") s.configuredWindow = a.window
    for (const t of list(a.toasts)) toast(text(t?.message), text(t?.variant) || "info")
    if (a.problem) complain(name, text(a.problem))
    return result
  }
  const goneNow = () => {
    if (!off && governed(directory)) {
      off = true
      toast("Governance is off: idumb-hook is not on this machine any more. Install iDumb again, or take it out of this repository with `idumb hook uninstall opencode`.", "warning")
    }
  }
  const offNote = () => {
    if (!off || offTold) return ""
    offTold = true
    return "iDumb: governance of this repository is off, because the program idumb-hook is not installed on this machine. Go on without it, and tell the person once."
  }

  // gate returns the reason why a call is denied, "" if it is not.
  const gate = async (input, args) => {
    const tool = input.tool
    if (tool === "invalid") return ""
    const s = await who(input.sessionID)
    const call = `${input.sessionID}/${input.callID}`
    const data = { tool, call, args }
    const deny = (r) => {
      if (text(r.answer?.note)) s.notes.set(input.callID, r.answer.note)
      return text(r.answer?.deny)
    }
    if (READS.has(tool)) {
      const answer = ask(s, "tool.before", data, GATE)
      if (!s.reads) { // nothing is denied; what is known of a file comes with its result
        if (tool === "read") s.told.set(input.callID, answer.then(deny))
        return ""
      }
      return deny((await Promise.race([answer, wait(READ)])) ?? {})
    }
    let r = await ask(s, "tool.before", data, GATE)
    if (!GOVERNED.test(tool) || r.answer || r.why === "gone") return deny(r)
    if (r.why !== "resting" && !hook.resting()) r = await ask(s, "tool.before", data, GATE) // a second time, with a new child if the first one hung
    if (r.answer || r.why === "gone") return deny(r)
    return brokenGate(tool, args, r.why)
  }
  // brokenGate stands in for a hook that is there and does not answer.
  const brokenGate = (tool, args, why) => {
    if (knownMode() !== "enforce" || !governed(directory)) return ""
    if (/^\s*idumb doctor\s*$/.test(text(args?.command))) return ""
    const reason = refusal(tool, why === "resting" ? "it failed again and again; it is asked again within 30 seconds" : why)
    toast(`Denied ${tool}: idumb-hook does not answer.`, "error")
    return reason
  }

  // base returns the pack that stands in the session's system prompt: the same bytes until it is asked for anew.
  const base = async (s) => {
    if (s.base === undefined) {
      const { answer } = await ask(s, "system", {}, TURN)
      if (!answer || !text(answer.system)) return ""
      s.base = answer.system
    }
    return s.base
  }

  // toEnd puts a text at the end of what the model is sent. It is not stored.
  const toEnd = (messages, content) => {
    const user = messages.findLast((m) => m?.info?.role === "user")
    if (!user || !content) return
    const stamp = Date.now().toString(16) + Math.random().toString(36).slice(2, 10)
    const { id, sessionID, time, agent, model } = { ...user.info, id: "msg_" + stamp }
    messages.push({ info: { id, sessionID, role: "user", time, agent, model }, parts: [{ id: "prt_" + stamp, sessionID, messageID: id, type: "text", text: content, synthetic: true }] })
  }

  const onEvent = {
    "session.created": async (p) => {
      const s = session(text(p.sessionID) || p.info.id)
      Object.assign(s, { parent: text(p.info?.parentID), agent: text(p.info?.agent) || s.agent, known: true, met: true })
      if (!s.parent) await ask(s, "session", {}, TURN)
    },
    "session.compacted": async (p) => {
      const s = session(p.sessionID)
      Object.assign(s, { compacting: false, base: undefined, used: 0 })
      await ask(s, "compacted", {}, TURN)
    },
    "session.error": async (p) => {
      // What does not fit is compacted, and goes on; all else ends the turn, by the person's wish or not.
      if (!p.sessionID) return
      const s = session(p.sessionID)
      Object.assign(s, { ended: p.error?.name !== "ContextOverflowError", compacting: false })
      s.cancelled ||= p.error?.name === "MessageAbortedError"
    },
    "session.deleted": async (p) => {
      const s = session(text(p.sessionID) || p.info?.id)
      await ask(s, "deleted", {}, TURN)
      sessions.delete(s.id)
    },
    "permission.replied": async (p) => {
      const s = session(p.sessionID), id = text(p.requestID) || text(p.permissionID), reply = text(p.reply) || text(p.response)
      if (reply === "reject") Object.assign(s, { ended: true, cancelled: true })
      const asked = s.asked?.[id]
      if (!asked) return
      delete s.asked[id]
      const wide = reply === "always" ? list(asked.always) : []
      await ask(await who(p.sessionID), "answered", { permission: text(asked.permission), patterns: wide.length ? wide : list(asked.patterns), reply }, TURN)
    },
    "permission.asked": async (p) => {
      const s = session(p.sessionID)
      s.asked = { ...s.asked, [text(p.id)]: p }
      await ask(await who(p.sessionID), "seen", { permission: text(p.permission), patterns: list(p.patterns) }, TURN)
    },
    "session.idle": async (p) => { await idle(await who(p.sessionID)) },
    "message.updated": async (p) => {
      // Of a turn that the person stops early no session.error comes.
      if (p.info?.error?.name === "MessageAbortedError") Object.assign(session(p.info.sessionID), { ended: true, cancelled: true })
      const t = p.info?.tokens
      if (p.info?.role !== "assistant" || !t || p.info.summary) return
      const used = (t.input ?? 0) + (t.output ?? 0) + (t.reasoning ?? 0) + (t.cache?.read ?? 0) + (t.cache?.write ?? 0)
      if (used > 0) session(p.info.sessionID).used = used
    },
  }

  // outputsIn lists the outputs of tools that could be left out, the oldest first.
  const outputsIn = (messages) => messages.slice(0, -KEEP_MESSAGES).flatMap((m) => list(m?.parts))
    .filter((p) => p?.type === "tool" && p.state?.status === "completed" && !p.state.time?.compacted && text(p.state.output).length >= SMALL)
    .map((p) => ({ call: `${p.sessionID}/${p.callID}`, size: p.state.output.length }))
  const leaveOut = (messages, pruned) => {
    if (!pruned.size) return
    for (const part of messages.flatMap((m) => list(m?.parts))) {
      const note = part?.type === "tool" && part.state?.status === "completed" && pruned.get(`${part.sessionID}/${part.callID}`)
      if (note) part.state = { ...part.state, output: note, attachments: [] }
    }
  }

  // say sends the session a prompt of our own. No prompt of ours counts as a person's.
  const say = async (s, content, noReply) => {
    const body = { parts: [{ type: "text", text: content }] }
    if (s.agent) body.agent = s.agent
    if (s.model) body.model = s.model
    if (noReply) body.noReply = true
    s.ours = true
    try {
      await (noReply ? client.session.prompt : client.session.promptAsync).call(client.session, { path: { id: s.id }, body })
    } catch (e) { s.ours = false; throw e }
  }

  // idle is the end of a turn: the agent is sent back for what its task still lacks, or a full session is split.
  // Under `run` neither is possible: what is missing stands at the end of each request instead (unheld).
  const idle = async (s) => {
    s.compacting = false
    if (!s.turn) return // a compaction that the person asked for ends like a turn
    s.turn = false
    const { ended } = s
    const { answer } = await ask(s, "idle", { ended: !!ended, cancelled: !!s.cancelled, text: s.said, used: s.used }, TURN)
    if (RUN || s.parent || ended || !answer) return
    if (text(answer.hold)) {
      toast("The task is not done yet: the agent goes on with what is missing.", "info")
      return await say(s, answer.hold, false)
    }
    const window = s.window || s.configuredWindow
    if (!s.split && answer.splitAt > 0 && answer.splitAt < 100 && window && s.used >= (window * answer.splitAt) / 100) await split(s, answer.splitAt)
  }

  // split goes on in a new session before the window is full: what governs the work and the last messages become its
  // first turn; the old session stays as it is, and is kept as a file.
  const split = async (s, percent) => {
    s.split = true
    const found = await client.session.messages({ path: { id: s.id } })
    const messages = list(found?.data)
    if (!messages.length) return
    const { answer } = await ask(s, "export", { messages }, 5 * TURN)
    if (!text(answer?.file)) return
    const created = await client.session.create({ body: { title: "iDumb: goes on from " + s.id } })
    const next = created?.data && session(created.data.id)
    if (!next) return
    Object.assign(next, { known: true, met: true, agent: s.agent, model: s.model, window: s.window })
    await ask(next, "session", {}, TURN)
    await ask(next, "adopt", { from: s.id }, TURN)
    await say(next, [
      `This session goes on from another one, whose window was nearly full (it is kept in ${answer.file}).`, text(answer.summary),
      "The last messages of it:", ...messages.slice(-6).map(spoken),
    ].filter(Boolean).join("\n\n"), true)
    toast(`This session has used ${percent}% of its window. Go on in the new session "${text(created.data.title)}": it knows the plan and the last six messages.`, "warning")
  }
  // spoken is a message as the next session reads it.
  const spoken = (m) => {
    const parts = list(m?.parts).map((p) => {
      if (p?.type === "text" && !p.synthetic) return text(p.text)
      return p?.type === "tool" ? `(${text(p.tool)}: ${text(p.state?.title) || text(p.state?.status)})` : ""
    })
    return `<message role="${text(m?.info?.role)}">\n${parts.filter(Boolean).join("\n").slice(0, 4000).replaceAll("</message", "< /message")}\n</message>`
  }

  hook.ask("hello", { directory }, TURN).then((r) => { mode = text(r.answer?.mode); if (r.why === "gone") goneNow() }, () => {})

  return {
    config: guard("config", async (config) => {
      for (const owner of [config, ...Object.values(isObject(config?.agent) ? config.agent : {})]) permitAsShell(owner)
    }),
    event: async ({ event }) => {
      try { if (TOLD.has(event?.type)) await onEvent[event.type](event.properties ?? {}) } catch (e) { complain(event?.type, e) }
    },
    "chat.message": guard("chat.message", async (input, output) => {
      const s = await who(input.sessionID)
      s.agent = text(output.message?.agent) || text(input.agent) || s.agent
      s.model = output.message?.model ?? s.model
      s.compacting = s.ended = s.cancelled = false
      s.turn = true
      if (!s.met) {
        s.met = true
        if (!s.parent) await ask(s, "session", { resumed: true }, TURN)
      }
      if (s.ours) { s.ours = false; return }
      const said = list(output.parts).filter((p) => p?.type === "text").map((p) => text(p.text)).join("\n")
      await ask(s, "message", { text: said }, TURN)
    }),
    "experimental.chat.system.transform": guard("system.transform", async (input, output) => {
      if (!input.sessionID || INTERNAL.test(text(output.system[0]))) return
      const s = await who(input.sessionID)
      s.window = input.model?.limit?.context || s.window
      const pack = await base(s)
      if (pack) output.system.push(pack)
    }),
    "experimental.chat.messages.transform": guard("messages.transform", async (_, output) => {
      const id = text(output.messages.at(-1)?.info?.sessionID)
      if (!id) return
      const s = await who(id)
      if (s.compacting) return leaveOut(output.messages, s.pruned)
      await base(s)
      const { answer } = await ask(s, "tail", { unheld: RUN || !!s.parent, outputs: outputsIn(output.messages), used: s.used, window: s.window }, TURN)
      for (const p of list(answer?.pruned)) if (text(p?.call) && text(p?.note)) s.pruned.set(p.call, p.note)
      leaveOut(output.messages, s.pruned)
      toEnd(output.messages, [text(answer?.tail), offNote()].filter(Boolean).join("\n"))
    }),
    "tool.execute.before": async (input, output) => {
      let reason = ""
      try {
        reason = await gate(input, output.args)
      } catch (e) {
        complain("tool.execute.before", e)
        if (GOVERNED.test(input.tool)) reason = brokenGate(input.tool, output.args, "the plugin broke: " + e)
      }
      // Who calls our own tools is looked up under this id; what the model wrote there does not count.
      if (OWN.test(input.tool) && isObject(output.args)) output.args._idumb = `${input.sessionID}/${input.callID}`
      if (reason) throw new Error(reason)
    },
    "tool.execute.after": guard("tool.execute.after", async (input, output) => {
      const s = await who(input.sessionID)
      const data = { tool: input.tool, call: `${input.sessionID}/${input.callID}`, args: READS.has(input.tool) ? undefined : input.args }
      if (input.tool === "todowrite") data.todos = input.args?.todos // nobody waits for the answer
      if (isObject(output.metadata) && "exit" in output.metadata) data.exit = output.metadata.exit
      if (output.metadata?.exists === false) data.created = true
      if (data.exit) data.output = text(output.output).slice(-OUTPUT) // it failed: the memory may know of it
      else if ("exit" in data) data.printed = text(output.output).slice(-OUTPUT)
      else if (Array.isArray(output.content) && (output.isError || OWN.test(input.tool))) data.output = { content: output.content, isError: output.isError === true }
      const asked = ask(s, "tool.after", data, TURN)
      const answer = READS.has(input.tool) ? undefined : (await asked).answer
      const told = s.told.get(input.callID)
      s.told.delete(input.callID)
      if (told) await Promise.race([told, wait(READ)])
      const note = [s.notes.get(input.callID), text(answer?.note)].filter(Boolean).join("\n")
      s.notes.delete(input.callID)
      if (text(answer?.output)) { // it should not have run
        if (typeof output.output === "string") Object.assign(output, { title: "Against the rules", output: answer.output })
        else if (Array.isArray(output.content)) output.content.splice(0, output.content.length, { type: "text", text: answer.output })
        return
      }
      if (note && typeof output.output === "string") output.output += "\n" + note
      else if (note && Array.isArray(output.content)) output.content.push({ type: "text", text: note })
    }),
    "experimental.session.compacting": guard("session.compacting", async (input, output) => {
      const s = await who(input.sessionID)
      s.compacting = true
      const { answer } = await ask(s, "compacting", {}, GATE)
      s.summary = text(answer?.summary)
      for (const part of list(answer?.context)) if (text(part)) output.context.push(part)
    }),
    "experimental.text.complete": guard("text.complete", async (input, output) => {
      const s = sessions.get(input.sessionID)
      if (s && !s.compacting) s.said = text(output.text).slice(-4000)
      if (!s?.compacting || !s.summary) return
      output.text += "\n\n" + s.summary
      s.summary = ""
    }),
    "shell.env": guard("shell.env", async (input, output) => {
      const s = input.sessionID && sessions.get(input.sessionID)
      if (s?.name) output.env.IDUMB_SESSION = s.name
    }),
    "command.execute.before": guard("command.execute.before", async (input) => {
      // A person who asks how things stand gets the whole context, not what was changed since.
      if (/^idumb[:/]/.test(text(input.command))) session(input.sessionID).base = undefined
    }),
    dispose: async () => { try { hook.close() } catch {} },
  }
}
