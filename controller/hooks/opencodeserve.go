package hooks

import (
	"encoding/json"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/controller/hooks/hosts"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
)

// Timeouts of an answer. The shim waits slightly longer for each.
const (
	gatePatience = 1200 * time.Millisecond
	turnPatience = 800 * time.Millisecond
)

// serveOpenCode answers the shim's lines until the input ends.
func serveOpenCode(stdin io.Reader, stdout io.Writer, env environment, clock func() time.Time, ask AskController) int {
	child := lastingVariable + "=" + strconv.Itoa(os.Getpid()) + "." + strconv.FormatInt(clock().UnixNano(), 36)
	env, watched := append(withoutVariable(env, "CLAUDE_PROJECT_DIR"), child), newWatchedWork()
	s := &stdio{output: stdout, self: thisProgram(stdin), answer: func(line []byte, say func(result, bool)) {
		x := &opencodeExchange{run: run{host: hosts.OpenCode{}, env: env, now: clock(), called: ".", ask: ask}, process: watched, line: line}
		inTime(x.patience(), x.answer, x.giveUp, say)
	}}
	return s.serve(stdin)
}

// withoutVariable returns the environment without a variable. OpenCode may have
// been started inside another agent with a different project.
func withoutVariable(env environment, name string) environment {
	var rest environment
	for _, pair := range env {
		if !strings.HasPrefix(pair, name+"=") {
			rest = append(rest, pair)
		}
	}
	return rest
}

// opencodeExchange is a run that answers one line from the shim.
type opencodeExchange struct {
	run
	line    []byte
	process *watchedWork // of this process
}

// patience returns the timeout of the answer. It is longer for a line before a tool, because
// without an answer the tool is denied.
func (x *opencodeExchange) patience() time.Duration {
	if (hosts.OpenCode{}).GuessGate(x.line) {
		return gatePatience
	}
	return turnPatience
}

// answer lets the controller answer the line, or answers it here.
func (x *opencodeExchange) answer() result {
	if res, err := x.queryController(x.line); err == nil {
		return res
	}
	in, err := hosts.ReadRequest(x.line)
	if err != nil {
		return x.say(in, &hosts.Reply{Problem: "the line cannot be read: " + err.Error()})
	}
	return x.reply(in)
}

// say returns the reply as a line, with the id of the answered line.
func (x *opencodeExchange) say(in hosts.Request, r *hosts.Reply) result {
	r.ID = json.RawMessage("0")
	if id, ok := in.Object["id"]; ok {
		r.ID = id
	}
	return result{Answered: Answered{Stdout: hosts.Line(r)}}
}

// giveUp denies a write that cannot be judged in time.
func (x *opencodeExchange) giveUp(cause string) result {
	in, _ := hosts.ReadRequest(x.line)
	r := &hosts.Reply{Problem: cause}
	if k := x.partial.Load(); k != nil {
		r.Mode, r.Deny = k.mode, undecided(*k, cause).Deny
	}
	return x.say(in, r)
}

// reply answers for the repository, if it is the served one.
func (x *opencodeExchange) reply(in hosts.Request) result {
	event, err := in.Event()
	handler, openErr := x.open(event)
	if openErr != nil {
		a, mode, elsewhere := x.leftOut(event, openErr)
		r := hosts.ReplyTo(event, a)
		r.System, r.Mode, r.Governed = "", mode, mode != ""
		res := x.say(in, r)
		res.otherRepository = elsewhere
		return res
	}
	if err != nil {
		return x.giveUp(err.Error())
	}
	wait := min(packPatience, patience(event.Type))
	if in.Hook == hosts.HookSystem || in.Hook == hosts.HookTail {
		wait = packPatience
	}
	if res, answered := x.revive(handler, x.line, wait); answered {
		return res
	}
	h := &opencodeHandler{handler: handler, request: in, watched: x.process}
	r := h.reply()
	r.Governed, r.Mode, r.Name = true, h.repo.settings.Mode, h.sessionName()
	return x.say(in, r)
}

// opencodeHandler answers one line in one repository.
type opencodeHandler struct {
	*handler
	request hosts.Request
	watched *watchedWork
}

// reply handles the line and returns the reply, without the fields Governed, Mode and Name.
func (h *opencodeHandler) reply() *hosts.Reply {
	if h.event.Type == hosts.Ignored {
		return h.replyAside()
	}
	r := hosts.ReplyTo(h.event, h.handle())
	r.System = "" // the shim requests it when needed
	switch h.event.Type {
	case hosts.BeforeTool:
		h.tellReads(r)
	case hosts.AfterTool:
		h.rememberOutput()
	case hosts.Prompt, hosts.SubagentStart:
		h.tellReads(r)
	case hosts.BeforeCompact:
		h.keepChain(r)
	case hosts.Stop:
		r.SplitAt = h.repo.settings.SplitAt
		r.Toasts = append(r.Toasts, h.watched.news(h.repo)...)
	}
	return r
}

// keepChain asks the author of a summary to keep the state of the work. It also
// sends the state to the shim, which appends it to the summary.
func (h *opencodeHandler) keepChain(r *hosts.Reply) {
	if h.repo.settings.Mode == admission.ModeOff {
		return
	}
	if chain := h.chain(); chain != "" {
		r.Summary = chain
		r.Context = append(r.Context, "Keep in the summary, word for word:\n"+chain)
	}
}

// replyAside answers the hooks that only OpenCode has, such as the hooks for the system prompt and
// the end of the conversation.
func (h *opencodeHandler) replyAside() *hosts.Reply {
	r := &hosts.Reply{}
	if h.repo.settings.Mode == admission.ModeOff {
		return r
	}
	switch h.request.Hook {
	case hosts.HookHello:
		r.Window = h.repo.settings.ContextWindow
	case hosts.HookSystem:
		r.System = h.base()
		h.tellReads(r)
	case hosts.HookTail:
		h.tail(r)
		h.tellReads(r)
	case hosts.HookExport:
		h.export(r)
	case hosts.HookAdopt:
		h.adopt()
	case hosts.HookSeen:
		h.updateSession(func(*resources.SessionSpec) {})
	case hosts.HookAnswered:
		h.endWait()
		h.keepAnswer()
	}
	return r
}

// tellReads sets whether the shim must send reads of the session. It must if
// the session's role, task or delegation restricts tools. Otherwise the shim
// does not wait for an answer.
func (h *opencodeHandler) tellReads(r *hosts.Reply) {
	asked := h.record().Delegation != ""
	if role := h.role(); role != nil {
		asked = asked || len(role.Spec.Tools.Allow)+len(role.Spec.Tools.Deny)+len(role.Spec.FirstTools) > 0
	}
	if t, ok := h.work(); ok {
		asked = asked || len(t.Spec.AllowedTools) > 0
	}
	r.Reads = &asked
}
