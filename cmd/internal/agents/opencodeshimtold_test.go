package agents

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestShimSaysWhatCameOut: what a command printed, whether it failed or not, and that a file is new.
func TestShimSaysWhatCameOut(t *testing.T) {
	hook := fakeHook(t, `say({ id: line.id, mode: "enforce", governed: true, ...(line.hook === "tool.after" ? { note: [line.printed, line.output, line.created].map(String).join("/") } : {}) })`)
	r := runShim(t, hook, `
		const after = async (tool, output, metadata) => { const o = { title: "t", output, metadata }; await h.hooks["tool.execute.after"]({ tool, sessionID: "ses_main", callID: "c", args: {} }, o); return o.output }
		return [
			await after("bash", "4 passed", { exit: 0 }),
			await after("bash", "1 failed", { exit: 1 }),
			await after("write", "", { exists: false }),
			await after("write", "", { exists: true }),
		]`)
	assert.JSONEq(t, `["4 passed\n4 passed/undefined/undefined", "1 failed\nundefined/1 failed/undefined", "\nundefined/undefined/true", "\nundefined/undefined/undefined"]`, string(r.Result))
}

// TestShimAnswersAfterTheFact: what should not have run has its result replaced, and a word
// about what was let pass stands beside it.
func TestShimAnswersAfterTheFact(t *testing.T) {
	hook := fakeHook(t, `say({ id: line.id, mode: "enforce", governed: true, ...(line.hook !== "tool.after" ? {} : line.tool === "write" || line.tool === "x_mcp" ? { output: "AGAINST" } : { note: "HM" }) })`)
	r := runShim(t, hook, `
		const after = async (tool, output) => { await h.hooks["tool.execute.after"]({ tool, sessionID: "ses_main", callID: "c", args: {} }, output); return output }
		return [
			await after("write", { title: "t", output: "done", metadata: {} }),
			await after("x_mcp", { content: [{ type: "text", text: "done" }, { type: "text", text: "more" }] }),
			await after("bash", { title: "t", output: "done", metadata: {} }),
		]`)
	assert.JSONEq(t, `[
		{"title": "Against the rules", "output": "AGAINST", "metadata": {}},
		{"content": [{"type": "text", "text": "AGAINST"}]},
		{"title": "t", "output": "done\nHM", "metadata": {}}
	]`, string(r.Result))
}

// TestShimSaysWhatThePersonAnswered: of the question that was asked, in whatever words the answer comes.
func TestShimSaysWhatThePersonAnswered(t *testing.T) {
	hook := fakeHook(t, `if (line.hook === "answered") (globalThis.answers ??= []).push([line.permission, ...line.patterns, line.reply].join(" "))
say({ id: line.id, mode: "enforce", governed: true, name: (globalThis.answers ?? []).join(", ") })`)
	r := runShim(t, hook, `
		await h.message("ses_main", "hi")
		const say = (event, data) => h.event("permission." + event, { sessionID: "ses_main", ...data })
		await say("asked", { id: "1", permission: "bash", patterns: ["ls -l"], always: ["ls *"] })
		await say("asked", { id: "2", permission: "edit", patterns: ["a", "b"], always: [] })
		await say("replied", { permissionID: "2", response: "always" })
		await say("replied", { requestID: "1", reply: "always" })
		await say("replied", { requestID: "1", reply: "once" })
		await say("asked", { id: "3", permission: "bash", patterns: ["ls -l"], always: ["ls *"] })
		await say("replied", { requestID: "3", reply: "reject" })
		const env = {}
		await h.hooks["shell.env"]({ sessionID: "ses_main" }, { env })
		return env`)
	assert.JSONEq(t, `{"IDUMB_SESSION": "edit a b always, bash ls * always, bash ls -l reject"}`, string(r.Result))
}

// TestShimSaysHowATurnEnded: by the person or not, and with which last words.
func TestShimSaysHowATurnEnded(t *testing.T) {
	hook := fakeHook(t, `if (line.hook === "idle") (globalThis.idles ??= []).push(line.cancelled + " " + line.text)
say({ id: line.id, mode: "enforce", governed: true, name: (globalThis.idles ?? []).join(", ") })`)
	r := runShim(t, hook, `
		const turn = async (event, data) => {
			await h.message("ses_main", "hi")
			await h.hooks["experimental.text.complete"]({ sessionID: "ses_main" }, { text: "said" })
			if (event) await h.event(event, { sessionID: "ses_main", ...data })
			await h.event("session.idle", { sessionID: "ses_main" })
		}
		await turn()
		await turn("session.error", { error: { name: "MessageAbortedError" } })
		await turn("session.error", { error: { name: "APIError" } })
		await turn("permission.replied", { reply: "reject" })
		await turn("message.updated", { info: { role: "assistant", sessionID: "ses_main", error: { name: "MessageAbortedError" } } })
		const env = {}
		await h.hooks["shell.env"]({ sessionID: "ses_main" }, { env })
		return env`)
	assert.JSONEq(t, `{"IDUMB_SESSION": "false said, true said, false said, true said, true said"}`, string(r.Result))
}
