package hooks

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"github.com/idumb-dev/idumb/controller/hooks/effects"
	"github.com/idumb-dev/idumb/controller/hooks/hosts"
	"github.com/idumb-dev/idumb/controller/store/githistory"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources/admission"
)

const (
	// deadline limits how long an answer may take. Hosts wait for many seconds
	// and then continue without an answer, which opens the gate.
	deadline = 2 * time.Second
	// maxInput is the maximum size of an event, in bytes. It is much larger
	// than any file that an agent writes at once.
	maxInput = 64 << 20
)

// Exit codes. Hosts treat 2 as "blocked, with the reason on standard error",
// and continue after any other failure.
const (
	exitOK      = 0
	exitFailed  = 1
	exitBlocked = 2
)

// Lasting is the argument after the host's name with which Main answers one
// line after another until its input ends.
const Lasting = "--stdio"

// IsLasting reports whether a host keeps one process for all of its events.
func IsLasting(host string) bool { return hosts.TraitsOf(host).OneProcess }

// Main answers one event. args names the host, stdin holds its event, env has
// the format of os.Environ, and now is the time of the answer. Main returns the
// exit code. It prints nothing if the repository is not governed. If it has no
// answer after two seconds, it prints a fallback answer and ends the process.
//
// Main sends the event to the controller first, unless ask is nil. If the
// controller does not answer, Main judges from the files and starts a
// controller.
//
// Without arguments it prints nothing and returns 0.
//
// With "opencode --stdio" it answers every line of its input independently, and
// runs until the input ends.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer, env []string, now time.Time, ask AskController) int {
	if len(args) == 2 && IsLasting(args[0]) && args[1] == Lasting {
		return serveOpenCode(stdin, stdout, env, clockFrom(now), ask)
	}
	if len(args) == 0 { // the host dropped the arguments of the entry: an error would deny every call
		drain(stdin)
		return exitOK
	}
	if len(args) != 1 {
		fmt.Fprintf(stderr, "usage: idumb-hook HOST (%s), with the host's event on standard input\n", strings.Join(hosts.Names(), ", "))
		return exitFailed
	}
	host, known := hosts.ByName(args[0])
	if !known {
		fmt.Fprintf(stderr, "error: unknown host %q; use one of: %s\n", args[0], strings.Join(hosts.Names(), ", "))
		return exitFailed
	}
	if environment(env).get(lastingVariable) != "" { // inherited: this process answers one event
		env = withoutVariable(env, lastingVariable)
	}
	r := &run{host: host, env: env, now: now, called: ".", stdout: stdout, stderr: stderr, ask: ask}
	return r.answerInTime(stdin)
}

// drain reads the event for at most the deadline, so that the host's write does
// not fail.
func drain(stdin io.Reader) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = io.Copy(io.Discard, io.LimitReader(stdin, maxInput))
	}()
	select {
	case <-done:
	case <-time.After(deadline):
	}
}

// clockFrom returns a clock that starts at now and advances with the machine's
// clock, including sleep time.
func clockFrom(now time.Time) func() time.Time {
	started := time.Now().Round(0)
	return func() time.Time { return now.Add(time.Now().Round(0).Sub(started)) }
}

// run is one run of the hook.
type run struct {
	host           hosts.Host
	env            environment
	now            time.Time
	called         string // the folder in which the hook was called
	stdout, stderr io.Writer
	ask            AskController // may be nil
	backend        Backend       // the controller that runs this hook; may be zero
	serving        Root          // the repository of that controller
	pid            func() int    // Request.PID
	timedOut       func() bool   // Request.Late
	outdated       bool          // the controller has a later version and could not answer

	partial atomic.Pointer[partialResult] // nil until the event is read
}

// partialResult is the data about the event for the answer of giveUp.
type partialResult struct {
	event hosts.Event
	mode  string
}

// result is the result of a run.
type result struct {
	Answered
	otherRepository bool // it belongs to another repository, see run.serving
}

// complains returns a result that only prints one line on standard error. For a
// host that treats every failure as a denial without a reason, it denies in the
// host's format, or else does not fail.
func (r *run) complains(exit int, text string) result {
	if r.host.Traits().FailsClosed {
		if exit == exitBlocked {
			return r.encode(hosts.Event{Type: hosts.BeforeTool}, hosts.Answer{Deny: text})
		}
		exit = exitOK
	}
	return result{Answered: Answered{Stderr: []byte(text + "\n"), Exit: exit}}
}

// answerInTime answers the event on standard input, and returns the exit code.
// A blocked system call cannot be stopped, so after the deadline the timer ends
// the process.
func (r *run) answerInTime(stdin io.Reader) (code int) {
	said := false
	inTime(deadline, func() result { return r.answer(stdin) }, r.giveUp, func(res result, late bool) {
		code = r.say(res)
		if late {
			os.Exit(code)
		}
		said = true
	})
	if !said {
		select {} // the timer is answering
	}
	return code
}

// inTime passes the result of answer to say. If answer takes too long or
// panics, it passes the result of giveUp. answer runs in this goroutine and
// only the timer in another one, because passing an answer between threads
// takes longer than most answers. late is true if answer is still running.
func inTime(patience time.Duration, answer func() result, giveUp func(cause string) result, say func(res result, late bool)) {
	var settled atomic.Bool
	watch := time.AfterFunc(patience, func() {
		if settled.CompareAndSwap(false, true) {
			say(giveUp(fmt.Sprintf("The hook found no answer within %s.", patience)), true)
		}
	})
	defer watch.Stop()
	if res := unbroken(answer, giveUp); settled.CompareAndSwap(false, true) {
		say(res, false)
	}
}

// unbroken recovers from a panic and returns the result of giveUp.
func unbroken(answer func() result, giveUp func(cause string) result) (res result) {
	defer func() {
		if p := recover(); p != nil {
			res = giveUp(fmt.Sprintf("The hook broke: %v.", p))
		}
	}()
	return answer()
}

// say writes an answer and returns the exit code.
func (r *run) say(res result) int {
	_, _ = r.stderr.Write(res.Stderr)
	if _, err := r.stdout.Write(res.Stdout); err != nil && len(res.Stdout) > 0 {
		return exitFailed
	}
	return res.Exit
}

// giveUp returns the answer if no other can be found, or not in time. It denies
// calls that may write.
func (r *run) giveUp(cause string) result {
	k := r.partial.Load()
	if k == nil {
		return r.complains(exitFailed, "idumb: "+cause)
	}
	a := undecided(*k, cause)
	if a.Deny == "" {
		return r.complains(exitOK, "idumb: "+cause)
	}
	return r.encode(k.event, a)
}

// encode returns an answer in the format of the host.
func (r *run) encode(e hosts.Event, a hosts.Answer) result {
	return result{Answered: Answered{Stdout: r.host.Encode(e, a)}}
}

// answer lets the controller answer the event, or answers it here.
func (r *run) answer(stdin io.Reader) result {
	input, err := io.ReadAll(io.LimitReader(stdin, maxInput+1))
	if err == nil && len(input) > maxInput {
		err = fmt.Errorf("it is longer than %d bytes", maxInput)
	}
	if err == nil {
		if res, err := r.queryController(input); err == nil {
			return res
		}
	}
	return r.compute(input, err)
}

// compute answers the event. It stores intermediate results in r.partial, which
// the timer uses if compute does not finish in time. err is the error of reading
// input.
func (r *run) compute(input []byte, err error) result {
	var e hosts.Event
	if err == nil {
		e, err = r.host.Parse(input)
	}
	e.Cwd = r.folderOf(e.Cwd)
	e.ReadSkill(r.env.claudeFolder())
	if err != nil {
		return r.unreadable(input, e, err)
	}
	if e.Type == hosts.Ignored {
		return result{}
	}
	h, err := r.open(e)
	if err != nil {
		a, _, elsewhere := r.leftOut(e, err)
		if elsewhere {
			return result{otherRepository: true}
		}
		return r.encode(e, a)
	}
	if res, answered := r.revive(h, input, patience(e.Type)); answered {
		return res
	}
	return r.encode(e, h.handle())
}

// errElsewhere means that the event is for another repository than the served
// one.
var errElsewhere = errors.New("it is another repository")

// open opens the repository of an event. Any error except errElsewhere means
// that no repository is governed there.
func (r *run) open(e hosts.Event) (*handler, error) {
	root, err := findRoot(r.env, e.Cwd, r.called)
	if err != nil {
		return nil, err
	}
	if r.serving != "" && !effects.SameFolder(string(root), string(r.serving)) {
		return nil, errElsewhere
	}
	r.partial.Store(&partialResult{event: e, mode: admission.Mode(r.env.get(admission.EnforceVariable), "")})
	repo := r.backend.open(root, r.env, r.now)
	r.partial.Store(&partialResult{event: e, mode: repo.settings.Mode})
	return &handler{repo: repo, event: e, env: r.env, limit: r.host.Traits().ContextLimit, pid: r.hookPID, timedOut: r.timedOut}, nil
}

// leftOut answers an event that open could not open a repository for. If git
// excludes .idumb from the working tree, it denies writes and informs the user,
// and it writes nothing below .idumb. Otherwise the folder is not governed, and
// mode is "". elsewhere reports that this process cannot answer the event.
func (r *run) leftOut(e hosts.Event, openErr error) (a hosts.Answer, mode string, elsewhere bool) {
	if errors.Is(openErr, errElsewhere) {
		return a, "", true
	}
	dir := cmp.Or(layout.Project(r.env), e.Cwd, r.called)
	root, why, command := githistory.LeftOutOf(dir)
	if why == "" || r.serving != "" { // only the hook answers this
		return a, "", why != ""
	}
	h := &handler{repo: r.backend.open(root, r.env, r.now), event: e, env: r.env, limit: r.host.Traits().ContextLimit, dryRun: true}
	mode = h.repo.settings.Mode
	r.partial.Store(&partialResult{event: e, mode: mode})
	switch {
	case mode == admission.ModeOff:
	case e.Type == hosts.SessionStart:
		a = hosts.Answer{Context: "iDumb: " + h.sharing().Advice() + "\n", Notice: "iDumb: " + why + ": " + command}
	case e.Type == hosts.BeforeTool && mode == admission.ModeEnforce && e.Command != command:
		if call, err := h.call(); err != nil {
			a.Deny = h.unfollowed(call, err).WithoutAsking().Reason.Text()
		} else if v := h.decide(call).WithoutAsking(); v.Outcome == admission.Deny {
			a.Deny = v.Reason.Text()
		}
	}
	return a, mode, false
}

// hookPID returns the process ID of the hook, or 0 if it is unknown.
func (r *run) hookPID() int {
	switch {
	case r.serving == "":
		return os.Getpid()
	case r.pid == nil:
		return 0
	}
	return r.pid()
}

// cwd returns the default folder of events.
func (r *run) cwd() string {
	if r.serving == "" {
		return "" // the folder of this process, which is determined on demand
	}
	return r.called
}

// folderOf returns the folder of an event. A relative folder is relative to the
// default folder.
func (r *run) folderOf(cwd string) string {
	if cwd == "" || filepath.IsAbs(cwd) {
		return cmp.Or(cwd, r.cwd())
	}
	if from := r.cwd(); from != "" {
		return filepath.Join(from, cwd)
	}
	abs, err := filepath.Abs(cwd)
	if err != nil {
		return cwd
	}
	return abs
}

// unreadable answers input that is not a valid event. For a host that asks for
// a decision, the exit code denies the call if the repository is governed.
func (r *run) unreadable(input []byte, e hosts.Event, cause error) result {
	h, err := r.open(e)
	if err != nil {
		return result{otherRepository: errors.Is(err, errElsewhere)}
	}
	mode := h.repo.settings.Mode
	complaint := fmt.Sprintf("idumb: the %s hook was given something that it cannot read: %v; governance cannot judge the call. Tell the user to check `idumb doctor` and the versions of idumb and of the agent.", r.host.Name(), cause)
	if mode == admission.ModeOff {
		return result{}
	}
	if mode == admission.ModeEnforce && (e.Type == hosts.BeforeTool || e.Type == hosts.Ignored && r.host.GuessGate(input)) {
		return r.complains(exitBlocked, complaint)
	}
	return r.complains(exitFailed, complaint)
}
