package agents

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// shimDriver loads the plugin as OpenCode does, with a client that notes what it is
// asked for, runs one script over its hooks and prints what came of it.
const shimDriver = `
import { pathToFileURL } from "node:url"
const [shim, directory, script] = process.argv.slice(2)
const exported = await import(pathToFileURL(shim).href)
const calls = []
const note = (name) => async (o) => { calls.push([name, o?.body ?? o?.path ?? null]); return { data: replies[name]?.(o) } }
const replies = {
  get: (o) => ({ id: o.path.id, parentID: o.path.id === "ses_child" ? "ses_main" : undefined }),
  create: () => ({ id: "ses_next", title: "next" }),
  messages: () => Array.from({ length: 8 }, (_, i) => ({ info: { role: i % 2 ? "assistant" : "user" }, parts: [{ type: "text", text: "word-" + i + " </message>" }] })),
}
const client = {
  session: Object.fromEntries(["get", "create", "messages", "prompt", "promptAsync"].map((n) => [n, note(n)])),
  tui: { showToast: note("toast") }, app: { log: note("log") },
}
const hooks = await exported.idumb({ client, directory, worktree: "/" })
const sleep = (ms) => new Promise((r) => setTimeout(r, ms))
const before = async (tool, args, session = "ses_main", callID = "call_1") => {
  const began = performance.now()
  let error = ""
  try { await hooks["tool.execute.before"]({ tool, sessionID: session, callID }, { args }) } catch (e) { error = e.message }
  return { error, ms: performance.now() - began, args }
}
const message = (session, text) => hooks["chat.message"]({ sessionID: session }, { message: { agent: "build", model: { providerID: "p", modelID: "m" } }, parts: [{ type: "text", text }] })
const event = (type, properties) => hooks.event({ event: { type, properties } })
const out = { exports: Object.entries(exported).map(([k, v]) => [k, typeof v]), calls, hooks: Object.keys(hooks) }
const result = await (new Function("h", "return (async () => {" + script + "})()"))({ hooks, before, message, event, sleep, calls })
console.log(JSON.stringify({ ...out, result }))
await hooks.dispose()
setTimeout(() => process.exit(0), 50)
`

// shimRun is what a run of the plugin came to.
type shimRun struct {
	Exports [][2]string
	Hooks   []string
	Calls   [][2]json.RawMessage
	Result  json.RawMessage
}

// asked lists the bodies of the calls of that name to OpenCode's client.
func (r shimRun) asked(name string) []string {
	var all []string
	for _, c := range r.Calls {
		if string(c[0]) == `"`+name+`"` {
			all = append(all, string(c[1]))
		}
	}
	return all
}

// runShim runs a script over the plugin's hooks in a governed folder. hook is the
// program that stands for idumb-hook, "" for none on this machine.
func runShim(t *testing.T, hook, script string) shimRun {
	t.Helper()
	return runShimIn(t, governed(t, ""), hook, script)
}

func runShimIn(t *testing.T, root, hook, script string) shimRun {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not in PATH: the plugin cannot be run")
	}
	driver := filepath.Join(t.TempDir(), "driver.mjs")
	require.NoError(t, os.WriteFile(driver, []byte(shimDriver), 0o600))
	shim := filepath.Join(filepath.Dir(driver), "idumb.mjs")
	require.NoError(t, os.WriteFile(shim, []byte(embedded("files/opencode/idumb.js")), 0o600))
	ctx, cancel := context.WithTimeout(t.Context(), 40*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, node, driver, shim, root, script)
	cmd.Env = []string{"PATH=" + t.TempDir(), "HOME=" + root, "IDUMB_HOOK=" + hook}
	var errs strings.Builder
	cmd.Stderr = &errs
	out, err := cmd.Output()
	require.NoError(t, err, "%s\n%s", out, errs.String())
	var run shimRun
	require.NoError(t, json.Unmarshal(out, &run), "standard output is OpenCode's: %s", out)
	return run
}

// governed makes a folder with .idumb in it, in the mode that its config says.
func governed(t *testing.T, mode string) string {
	root := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(root, ".idumb"), 0o700))
	if mode != "" {
		require.NoError(t, os.WriteFile(filepath.Join(root, ".idumb", "config.json"), []byte(`{"spec": {"mode": "`+mode+`"}}`), 0o600))
	}
	return root
}

// fakeHook makes a program in JavaScript that stands for idumb-hook. body answers
// each line: in is the line, say writes an answer.
func fakeHook(t *testing.T, body string) string {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not in PATH: the plugin cannot be run")
	}
	file := filepath.Join(t.TempDir(), "idumb-hook")
	text := fmt.Sprintf(`#!%s
let rest = ""
const say = (o) => process.stdout.write(JSON.stringify(o) + "\n")
process.stdin.on("data", (d) => {
  rest += d
  for (let i; (i = rest.indexOf("\n")) >= 0; rest = rest.slice(i + 1)) { const in_ = JSON.parse(rest.slice(0, i)); answer(in_) }
})
process.stdin.on("end", () => process.exit(0))
const answer = (line) => { %s }
`, node, body)
	require.NoError(t, os.WriteFile(file, []byte(text), 0o700))
	return file
}

// result decodes what a script returned.
func result[T any](t *testing.T, r shimRun) T {
	t.Helper()
	var v T
	require.NoError(t, json.Unmarshal(r.Result, &v), "%s", r.Result)
	return v
}

type gated struct {
	Error string
	MS    float64
	Args  map[string]any
}

const allows = `say({ id: line.id, mode: "enforce", name: "ses-record", governed: true })`

func TestShimIsOneFunction(t *testing.T) {
	r := runShim(t, fakeHook(t, allows), `return 0`)
	assert.Equal(t, [][2]string{{"idumb", "function"}}, r.Exports)
	for _, dead := range []string{"permission.ask", "tool.definition", "chat.params", "chat.headers"} {
		assert.NotContains(t, r.Hooks, dead)
	}
}

func TestShimDeniesWhatItIsTold(t *testing.T) {
	hook := fakeHook(t, `say({ id: line.id, mode: "enforce", governed: true, ...(line.hook === "tool.before" && line.tool === "write" ? { deny: "NO: " + line.args.filePath + " " + line.session + " " + line.parent } : {}) })`)
	r := runShim(t, hook, `return [await h.before("write", { filePath: "a" }), await h.before("write", { filePath: "a" }, "ses_child"), await h.before("edit", { filePath: "a" }), await h.before("invalid", { tool: "write" })]`)
	got := result[[]gated](t, r)
	assert.Equal(t, "NO: a ses_main ", got[0].Error)
	assert.Equal(t, "NO: a ses_child ses_main", got[1].Error)
	assert.Empty(t, got[2].Error)
	assert.Empty(t, got[3].Error)
}

// TestShimNamesTheCaller: in the arguments that the tool will get, whatever the model wrote.
func TestShimNamesTheCaller(t *testing.T) {
	for name, hook := range map[string]string{"answering": fakeHook(t, allows), "absent": "/nowhere/idumb-hook"} {
		t.Run(name, func(t *testing.T) {
			r := runShim(t, hook, `const args = { action: "start", _idumb: "forged" }; await h.before("idumb_govern_task", args, "ses_main", "call_7"); return args`)
			assert.Equal(t, "ses_main/call_7", result[map[string]any](t, r)["_idumb"])
		})
	}
}

// TestShimPermitsCommandsAsTheShell: our tool that runs a command line is no way around
// what the person said of OpenCode's own.
func TestShimPermitsCommandsAsTheShell(t *testing.T) {
	for bash, want := range map[string]any{
		`"deny"`: "deny", `"ask"`: "ask", `"allow"`: "allow", `{"*":"allow","rm *":"deny"}`: "ask", `{"*":"deny","ls":"allow"}`: "deny", `{"*":"allow","git *":"allow"}`: "allow",
	} {
		t.Run(bash, func(t *testing.T) {
			r := runShim(t, fakeHook(t, allows), `
				const config = { permission: { edit: "ask" }, agent: { build: { permission: { bash: `+bash+` } }, plan: {}, mine: { permission: { bash: `+bash+`, idumb_govern_shell: "ask" } }, old: { tools: { bash: false } } } }
				await h.hooks.config(config)
				await h.hooks.config(undefined)
				return [config.permission.idumb_govern_shell ?? "none", config.agent.build.permission.idumb_govern_shell, config.agent.mine.permission.idumb_govern_shell, config.agent.old.tools.idumb_govern_shell]`)
			assert.Equal(t, []any{"none", want, "ask", false}, result[[]any](t, r))
		})
	}
}

// TestShimWithABrokenHook: where the hook is there and fails, writes are denied while
// governance is enforced, everything else goes on, and nothing waits for long.
func TestShimWithABrokenHook(t *testing.T) {
	hooks := map[string]string{
		"hangs":              fakeHook(t, ``),
		"babbles":            fakeHook(t, `process.stdout.write("hello\n{}\n[1]\n")`),
		"crashes":            fakeHook(t, `process.exit(3)`),
		"answers without id": fakeHook(t, `say({ deny: "no" })`),
		"floods":             fakeHook(t, `process.stdout.write("x".repeat(1 << 20))`),
	}
	const script = `
		const all = [await h.before("write", { filePath: "a" }), await h.before("bash", { command: "make" }), await h.before("apply_patch", { patchText: "" }), await h.before("fs_write_file", { path: "a" })]
		const reads = [await h.before("read", { filePath: "a" }), await h.before("webfetch", { url: "a" }), await h.before("idumb_govern_task", { action: "fail" }), await h.before("bash", { command: "idumb doctor" })]
		const system = ["base"], messages = [{ info: { id: "m", role: "user", sessionID: "ses_main" }, parts: [] }]
		const began = Date.now()
		await h.message("ses_main", "hi")
		await h.hooks["experimental.chat.system.transform"]({ sessionID: "ses_main", model: {} }, { system })
		await h.hooks["experimental.chat.messages.transform"]({}, { messages })
		await h.hooks["experimental.session.compacting"]({ sessionID: "ses_main" }, { context: [] })
		await h.hooks["experimental.text.complete"]({ sessionID: "ses_main" }, { text: "t" })
		await h.event("session.idle", { sessionID: "ses_main" })
		return { all, reads, system, turn: Date.now() - began }`
	for name, hook := range hooks {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := runShim(t, hook, script)
			got := result[struct {
				All, Reads []gated
				System     []string
				Turn       float64
			}](t, r)
			for i, g := range got.All {
				for _, part := range []string{"GOVERNANCE BLOCK", "WHAT:", "WHY:", "USE INSTEAD:", "EVIDENCE:"} {
					assert.Contains(t, g.Error, part, "write %d", i)
				}
				assert.Less(t, g.MS, 8000.0, "write %d", i)
			}
			for i, g := range got.Reads {
				assert.Empty(t, g.Error, "call %d", i)
			}
			assert.Less(t, got.Reads[0].MS, 1000.0)
			assert.Equal(t, []string{"base"}, got.System)
			assert.Less(t, got.Turn, 12000.0)
			toasts := strings.Join(r.asked("toast"), "\n")
			assert.Equal(t, 1, strings.Count(toasts, "idumb-hook fails"), "%s", toasts)
		})
	}
}

// TestShimOutsideEnforce: what fails denies nothing where nothing is enforced.
func TestShimOutsideEnforce(t *testing.T) {
	hook := fakeHook(t, `process.exit(3)`)
	for _, mode := range []string{"log", "off"} {
		r := runShimIn(t, governed(t, mode), hook, `return await h.before("write", { filePath: "a" })`)
		assert.Empty(t, result[gated](t, r).Error, mode)
	}
	r := runShimIn(t, t.TempDir(), hook, `return await h.before("write", { filePath: "a" })`)
	assert.Empty(t, result[gated](t, r).Error, "nothing is governed")
}

// TestShimWithoutTheHook: the agent goes on, and the person and the model are told once.
func TestShimWithoutTheHook(t *testing.T) {
	r := runShim(t, "/nowhere/idumb-hook", `
		const g = await h.before("write", { filePath: "a" })
		const ends = []
		for (let i = 0; i < 3; i++) {
			const messages = [{ info: { id: "m", role: "user", sessionID: "ses_main", agent: "build", model: {} }, parts: [] }]
			await h.hooks["experimental.chat.messages.transform"]({}, { messages })
			ends.push(messages.length)
		}
		await h.before("write", { filePath: "a" })
		return { g, ends }`)
	got := result[struct {
		G    gated
		Ends []int
	}](t, r)
	assert.Empty(t, got.G.Error)
	assert.Equal(t, []int{2, 1, 1}, got.Ends)
	assert.Len(t, r.asked("toast"), 1)
}

// TestShimAfterUninstalling: a child whose program was taken away governs nobody any more.
func TestShimAfterUninstalling(t *testing.T) {
	hook := fakeHook(t, `if (line.tool === "write") require("fs").unlinkSync(process.argv[1]); say({ id: line.id, mode: "enforce", governed: true, deny: line.tool ? "NO" : undefined })`)
	r := runShim(t, hook, `return [await h.before("edit", {}), await h.before("write", {}), await h.before("write", {}), await h.before("bash", { command: "ls" })]`)
	got := result[[]gated](t, r)
	assert.Equal(t, "NO", got[0].Error)
	assert.Equal(t, "NO", got[1].Error)
	assert.Empty(t, got[2].Error)
	assert.Empty(t, got[3].Error)
	assert.Len(t, r.asked("toast"), 1, "the person is told once")
}

// TestShimFollowsTheProgram: what is taken away or replaced while OpenCode runs does not live on in
// the child that was started from it.
func TestShimFollowsTheProgram(t *testing.T) {
	hook, newer := fakeHook(t, `say({ id: line.id, mode: "enforce", governed: true, deny: "OLD" })`), fakeHook(t, `say({ id: line.id, mode: "enforce", governed: true, deny: "NEW" })`)
	r := runShim(t, hook, fmt.Sprintf(`
		const fs = await import("node:fs")
		const all = [await h.before("write", {})]
		fs.renameSync(%q, %q)
		all.push(await h.before("write", {}))
		fs.rmSync(%q)
		all.push(await h.before("write", {}))
		return all`, newer, hook, hook))
	got := result[[]gated](t, r)
	assert.Equal(t, []string{"OLD", "NEW", ""}, []string{got[0].Error, got[1].Error, got[2].Error})
	assert.Contains(t, strings.Join(r.asked("toast"), "\n"), "Governance is off")
}

// TestShimComesBack: a child that ended is started again, and a write waits for its answer.
func TestShimComesBack(t *testing.T) {
	hook := fakeHook(t, `if (line.tool === "edit") process.exit(1); say({ id: line.id, mode: "enforce", governed: true, deny: line.tool === "write" ? "NO" : undefined })`)
	r := runShim(t, hook, `return [await h.before("write", {}), await h.before("edit", {}), await h.before("write", {})]`)
	got := result[[]gated](t, r)
	assert.Equal(t, "NO", got[0].Error)
	assert.Contains(t, got[1].Error, "two calls of idumb-hook failed")
	assert.Equal(t, "NO", got[2].Error)
}

// TestShimReads: nobody waits for an answer about a read, unless the session's reads are judged,
// and then not for long.
func TestShimReads(t *testing.T) {
	const hook = `const r = { id: line.id, mode: "enforce", governed: true, reads: %s, deny: line.tool === "read" ? "NO" : undefined }; line.tool === "grep" ? setTimeout(() => say(r), 700) : say(r)`
	const script = `await h.message("ses_main", "hi"); return [await h.before("read", {}), await h.before("grep", {})]`
	free := result[[]gated](t, runShim(t, fakeHook(t, fmt.Sprintf(hook, "false")), script))
	assert.Empty(t, free[0].Error)
	judged := result[[]gated](t, runShim(t, fakeHook(t, fmt.Sprintf(hook, "true")), script))
	assert.Equal(t, "NO", judged[0].Error)
	assert.Less(t, judged[1].MS, 600.0, "it waited for the answer")
}

// TestShimOverlapping: answers find their calls in whatever order they come.
func TestShimOverlapping(t *testing.T) {
	hook := fakeHook(t, `setTimeout(() => say({ id: line.id, mode: "enforce", governed: true, deny: line.hook === "tool.before" ? "NO " + line.call : undefined }), line.call?.endsWith("0") ? 300 : 0)`)
	r := runShim(t, hook, `return await Promise.all(Array.from({ length: 10 }, (_, i) => h.before("write", {}, "ses_main", "call_" + i)))`)
	for i, g := range result[[]gated](t, r) {
		assert.Equal(t, fmt.Sprintf("NO ses_main/call_%d", i), g.Error)
	}
}

// TestShimHolds: an agent is sent back to what is missing, by a prompt that begins no new turn,
// and not after the person has stopped it.
func TestShimHolds(t *testing.T) {
	hook := fakeHook(t, `if (line.hook === "message" && line.session === "ses_main") globalThis.turns = (globalThis.turns ?? 0) + 1
say({ id: line.id, mode: "enforce", governed: true, hold: line.hook === "idle" ? "MISSING turn=" + globalThis.turns + " ended=" + line.ended : undefined })`)
	r := runShim(t, hook, `
		await h.message("ses_main", "hi")
		await h.event("session.idle", { sessionID: "ses_main" })
		await h.message("ses_main", "MISSING")
		await h.event("session.idle", { sessionID: "ses_main" })
		await h.event("session.idle", { sessionID: "ses_main" })
		await h.message("ses_child", "hi")
		await h.event("session.idle", { sessionID: "ses_child" })
		await h.message("ses_main", "again")
		await h.event("session.error", { sessionID: "ses_main", error: { name: "MessageAbortedError" } })
		await h.event("session.idle", { sessionID: "ses_main" })
		return 0`)
	prompts := r.asked("promptAsync")
	require.Len(t, prompts, 2)
	assert.Contains(t, prompts[0], "MISSING turn=1 ended=false")
	assert.Contains(t, prompts[1], "MISSING turn=1 ended=false")
}

// TestShimSplits: once, with the last six messages, which cannot pass for anything else.
func TestShimSplits(t *testing.T) {
	hook := fakeHook(t, `say({ id: line.id, mode: "enforce", governed: true, ...(line.hook === "idle" ? { splitAt: 80 } : line.hook === "export" ? { file: "kept.json", summary: "CHAIN" } : {}) })`)
	r := runShim(t, hook, `
		await h.hooks["experimental.chat.system.transform"]({ sessionID: "ses_main", model: { limit: { context: 1000 } } }, { system: ["base"] })
		for (const used of [500, 810, 900]) {
			await h.message("ses_main", "hi")
			await h.event("message.updated", { info: { role: "assistant", sessionID: "ses_main", tokens: { input: used, cache: {} } } })
			await h.event("session.idle", { sessionID: "ses_main" })
		}
		return 0`)
	assert.Len(t, r.asked("create"), 1)
	prompts := r.asked("prompt")
	require.Len(t, prompts, 1)
	assert.Contains(t, prompts[0], `"noReply":true`)
	assert.Contains(t, prompts[0], "CHAIN")
	assert.Contains(t, prompts[0], "word-2")
	assert.NotContains(t, prompts[0], "word-1 ")
	assert.Equal(t, 6, strings.Count(prompts[0], `\n</message>`))
}

// TestShimLeavesOut: what the hook names is left out, also while a summary is written, when
// nobody is asked.
func TestShimLeavesOut(t *testing.T) {
	hook := fakeHook(t, `say({ id: line.id, mode: "enforce", governed: true, ...(line.hook === "tail" ? { tail: "TAIL", pruned: line.outputs.map((o) => ({ call: o.call, note: "OUT " + o.size })) } : line.hook === "compacting" ? { context: ["CTX"], summary: "CHAIN" } : {}) })`)
	r := runShim(t, hook, `
		const conversation = () => [...Array.from({ length: 8 }, (_, i) => ({ info: { id: "m" + i, role: i % 2 ? "assistant" : "user", sessionID: "ses_main" }, parts: [{ type: "tool", sessionID: "ses_main", callID: "c" + i, state: { status: "completed", output: "x".repeat(300) } }] }))]
		const first = conversation(), second = conversation(), context = [], written = { text: "SUMMARY" }, other = { text: "later" }
		await h.hooks["experimental.chat.messages.transform"]({}, { messages: first })
		await h.hooks["experimental.session.compacting"]({ sessionID: "ses_main" }, { context })
		await h.hooks["experimental.chat.messages.transform"]({}, { messages: second })
		await h.hooks["experimental.text.complete"]({ sessionID: "ses_main" }, written)
		await h.event("session.compacted", { sessionID: "ses_main" })
		await h.hooks["experimental.text.complete"]({ sessionID: "ses_main" }, other)
		const outputs = (all) => all.flatMap((m) => m.parts).filter((p) => p.type === "tool").map((p) => p.state.output[0])
		return { first: outputs(first), second: outputs(second), tail: first.at(-1).parts[0].text, length: second.length, context, written, other }`)
	got := result[map[string]any](t, r)
	want := []any{"O", "O", "x", "x", "x", "x", "x", "x"}
	assert.Equal(t, want, got["first"])
	assert.Equal(t, want, got["second"])
	assert.Equal(t, "TAIL", got["tail"])
	assert.InDelta(t, 8, got["length"], 0, "something stands at the end of a summary's conversation")
	assert.Equal(t, []any{"CTX"}, got["context"])
	assert.Equal(t, map[string]any{"text": "SUMMARY\n\nCHAIN"}, got["written"])
	assert.Equal(t, map[string]any{"text": "later"}, got["other"])
}
