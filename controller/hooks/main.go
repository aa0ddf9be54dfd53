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
	// deadline is how long an answer may take. Hosts wait for many seconds and
	// then go on without one, which opens the gate.
	deadline = 2 * time.Second
	// maxInput is the largest event that is read, in bytes: far more than any
	// file that an agent writes at once.
	maxInput = 64 << 20
)

// Exit codes. Hosts take 2 for "blocked, for the reason on standard error", and
// any other failure for "go on".
const (
	exitOK      = 0
	exitFailed  = 1
	exitBlocked = 2
)

// Lasting is the argument behind the host's name that makes Main answer one line
// after the other, until its input ends.
const Lasting = "--stdio"

// IsLasting reports whether a host keeps one process for all of its events.
func IsLasting(host string) bool { return hosts.TraitsOf(host).Lasts }

// Main answers one event: args names the host, stdin holds its event, env is
// the environment as os.Environ gives it, and now the time of the answer. It
// returns the exit code. Where nothing is governed it says nothing. If no answer is
// found in two seconds it gives one and ends the process.
//
// The controller is asked first; ask may be nil. Where it does not answer, Main judges from
// the files, and sees to it that there is a controller soon.
//
// Without arguments it has no opinion: it says nothing and returns 0.
//
// With "opencode --stdio" it answers every line of its input, each for itself, and
// lives as long as the input does.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer, env []string, now time.Time, ask AskController) int {
	if len(args) == 2 && IsLasting(args[0]) && args[1] == Lasting {
		return serveOpenCode(stdin, stdout, env, clockFrom(now), ask)
	}
	if len(args) == 0 { // an entry whose arguments the host dropped: an error would deny every call
		drain(stdin)
		return exitOK
	}
	if len(args) != 1 {
		fmt.Fprintf(stderr, "usage: idumb-hook HOST (%s), with the host's event on standard input\n", strings.Join(hosts.Names(), ", "))
		return exitFailed
	}
	host, known := hosts.Named(args[0])
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

// drain reads the event for up to the deadline, so that the host does not fail to write it.
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

// clockFrom returns a clock that shows now and goes on from there, with the
// machine's own: also over the time in which it sleeps.
func clockFrom(now time.Time) func() time.Time {
	started := time.Now().Round(0)
	return func() time.Time { return now.Add(time.Now().Round(0).Sub(started)) }
}

// run is one run of the hook.
type run struct {
	host           hosts.Host
	env            environment
	now            time.Time
	called         string // the folder that the hook was called in
	stdout, stderr io.Writer
	ask            AskController // nil: the controller is not asked
	backend        Backend       // of the controller that this run is one of; the zero Backend: none
	serving        Root          // its repository
	pid            func() int    // Asked.PID
	late           func() bool   // Asked.Late
	outdated       bool          // the controller is of a later version, and was of no use

	known atomic.Pointer[known] // nil until the event could be read
}

// known is what a run has found out by the time that it has to give up.
type known struct {
	event hosts.Event
	mode  string
}

// result is what a run comes to.
type result struct {
	Answered
	elsewhere bool // it is another repository's, see run.serving
}

// complains is a result that says something on standard error, a line, and nothing else.
func complains(exit int, text string) result {
	return result{Answered: Answered{Stderr: []byte(text + "\n"), Exit: exit}}
}

// answerInTime answers the event on standard input, and returns the exit code. What hangs in a
// call to the system cannot be stopped, so past the deadline the watch ends the process.
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
		select {} // the watch is answering
	}
	return code
}

// inTime says what answer comes to, or, if that takes too long or breaks, what giveUp makes of
// it. The work is done right here and only the watch over it elsewhere: handing an answer from one
// thread to another takes longer than most answers do. late is true where it still goes on.
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

// unbroken survives a panic: it is answered as what cannot be decided.
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

// giveUp is the answer when there is no time or no way to find one: what might write is denied.
func (r *run) giveUp(cause string) result {
	k := r.known.Load()
	if k == nil {
		return complains(exitFailed, "idumb: "+cause)
	}
	a := undecided(*k, cause)
	if a.Deny == "" {
		return complains(exitOK, "idumb: "+cause)
	}
	return r.says(k.event, a)
}

// says is an answer in the host's own form.
func (r *run) says(e hosts.Event, a hosts.Answer) result {
	return result{Answered: Answered{Stdout: r.host.Encode(e, a)}}
}

// answer has the controller answer the event, or reads and answers it.
func (r *run) answer(stdin io.Reader) result {
	input, err := io.ReadAll(io.LimitReader(stdin, maxInput+1))
	if err == nil && len(input) > maxInput {
		err = fmt.Errorf("it is longer than %d bytes", maxInput)
	}
	if err == nil {
		if res, err := r.asked(input); err == nil {
			return res
		}
	}
	return r.compute(input, err)
}

// compute answers the event. What it finds out on the way it leaves in r.known, for whoever
// has to answer if it does not come to an end.
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
	if err != nil && !errors.Is(err, errElsewhere) {
		return r.leftOut(e)
	}
	if err != nil {
		return result{elsewhere: true}
	}
	if res, answered := r.revive(h, input, patience(e.Type)); answered {
		return res
	}
	return r.says(e, h.handle())
}

// errElsewhere says that an event happens in another repository than the one that is served.
var errElsewhere = errors.New("it is another repository")

// open opens the repository in which an event happens, as it is now. Any error but errElsewhere
// says that nothing is governed there.
func (r *run) open(e hosts.Event) (*handler, error) {
	root, err := findRoot(r.env, e.Cwd, r.called)
	if err != nil {
		return nil, err
	}
	if r.serving != "" && !effects.SameFolder(string(root), string(r.serving)) {
		return nil, errElsewhere
	}
	r.known.Store(&known{event: e, mode: admission.Mode(r.env.get(admission.EnforceVariable), "")})
	repo := r.backend.open(root, r.env, r.now)
	r.known.Store(&known{event: e, mode: repo.settings.Mode})
	return &handler{repo: repo, event: e, env: r.env, limit: r.host.Traits().ContextLimit, pid: r.hookPID, late: r.late}, nil
}

// leftOut answers an event where no .idumb was found. Where git keeps it out of the working tree,
// writes are denied and the user is told; nothing is written below .idumb. Otherwise nothing is governed.
func (r *run) leftOut(e hosts.Event) result {
	dir := cmp.Or(layout.Project(r.env), e.Cwd, r.called)
	root, why, command := githistory.LeftOutOf(dir)
	if why == "" {
		return result{}
	}
	if r.serving != "" { // the hook itself answers
		return result{elsewhere: true}
	}
	h := &handler{repo: r.backend.open(root, r.env, r.now), event: e, env: r.env, limit: r.host.Traits().ContextLimit, looks: true}
	mode := h.repo.settings.Mode
	r.known.Store(&known{event: e, mode: mode})
	switch {
	case mode == admission.ModeOff:
	case e.Type == hosts.SessionStart:
		return r.says(e, hosts.Answer{Context: "iDumb: " + h.sharing().Advice() + "\n", Notice: "iDumb: " + why + ": " + command})
	case e.Type == hosts.BeforeTool && mode == admission.ModeEnforce && e.Command != command:
		call, err := h.call()
		if err != nil {
			return r.says(e, hosts.Answer{Deny: h.unfollowed(call, err).WithoutAsking().Reason.Text()})
		}
		if v := h.decide(call).WithoutAsking(); v.Outcome == admission.Deny {
			return r.says(e, hosts.Answer{Deny: v.Reason.Text()})
		}
	}
	return result{}
}

// hookPID is the number of the hook's process; 0 if that is not known.
func (r *run) hookPID() int {
	switch {
	case r.serving == "":
		return os.Getpid()
	case r.pid == nil:
		return 0
	}
	return r.pid()
}

// cwd is the folder that counts where an event names none.
func (r *run) cwd() string {
	if r.serving == "" {
		return "" // this process' own, which is looked up where it matters
	}
	return r.called
}

// folderOf is the folder in which an event happens: one that is relative is looked for from the
// folder that counts where an event names none.
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

// unreadable answers input that is no event. A host that asks for a decision is
// told no by its exit code, if anything is governed here at all.
func (r *run) unreadable(input []byte, e hosts.Event, cause error) result {
	h, err := r.open(e)
	if err != nil {
		return result{elsewhere: errors.Is(err, errElsewhere)}
	}
	mode := h.repo.settings.Mode
	complaint := fmt.Sprintf("idumb: the %s hook was given something that it cannot read: %v; governance cannot judge the call. Tell the user to check `idumb doctor` and the versions of idumb and of the agent.", r.host.Name(), cause)
	if mode == admission.ModeOff {
		return result{}
	}
	if mode == admission.ModeEnforce && (e.Type == hosts.BeforeTool || e.Type == hosts.Ignored && r.host.GuessGate(input)) {
		return complains(exitBlocked, complaint)
	}
	return complains(exitFailed, complaint)
}
