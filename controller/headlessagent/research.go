package headlessagent

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/idumb-dev/idumb/controller/hooks/hosts"
	"github.com/idumb-dev/idumb/controller/mutate"
	"github.com/idumb-dev/idumb/controller/mutate/mems"
	"github.com/idumb-dev/idumb/controller/mutate/transition"
	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/apierrors"
	"github.com/idumb-dev/idumb/resources/status"
)

// Role is the role of researchers.
const Role = "investigator"

// Annotations of a delegation to a researcher.
const (
	Question = resources.Group + "/research-question"
	HostName = resources.Group + "/research-host"
	Cost     = resources.Group + "/research-cost"
	Ended    = resources.Group + "/research-ended" // outcome
)

const (
	maxQuestion   = 8000
	confidence    = 40 // confidence of an unchecked finding
	watchInterval = 300 * time.Millisecond
)

var errRecalled = errors.New("it was recalled")

// Researcher starts children for one repository.
type Researcher struct {
	Repo        mutate.Repo
	SettingsDir string   // directory of the user's own settings
	Env         []string // environment of a child
}

// Request is one question.
type Request struct {
	Question string
	Task     string // task to which the question belongs
	Host     string // host; empty means the first allowed one
	Role     string // role that asks
	Parent   string // session that asks; empty for a user
}

// Plan checks whether a request is allowed and returns the host to run it and
// the settings.
func (r Researcher) Plan(ctx context.Context, q Request) (hosts.Host, Settings, error) {
	s, err := Allowed(r.SettingsDir)
	if err != nil {
		return nil, s, err
	}
	for _, pair := range r.Env {
		if strings.HasPrefix(pair, admission.DelegationVariable+"=") {
			return nil, s, errors.New("a researcher cannot start another researcher; list open questions in your findings")
		}
	}
	switch n := len(strings.TrimSpace(q.Question)); {
	case n == 0:
		return nil, s, errors.New(`say what to find out: idumb research "who refreshes the tokens?"`)
	case n > maxQuestion:
		return nil, s, fmt.Errorf("the question has %d bytes; %d are the most", n, maxQuestion)
	}
	if err := r.readsOnly(ctx); err != nil {
		return nil, s, err
	}
	host, err := s.Host(q.Host)
	return host, s, err
}

// readsOnly returns an error unless the role of researchers exists and writes
// no source files.
func (r Researcher) readsOnly(ctx context.Context) error {
	record, err := r.Repo.Record(ctx, resources.Key{Kind: resources.Roles, Name: Role})
	if err != nil {
		return fmt.Errorf("researchers act in the role %q, which cannot be read; idumb init writes it: %w", Role, err)
	}
	o, _, err := resources.Decode(record.Key, record.Spec)
	if err != nil {
		return fmt.Errorf("role %q: %w", Role, err)
	}
	paths := o.(*resources.Role).Spec.Paths.Write
	if len(paths) == 0 {
		return fmt.Errorf("role %q may write anything; give it paths.write below .idumb only, or research is not safe", Role)
	}
	for _, p := range paths {
		if !strings.HasPrefix(path.Clean(p), layout.Dir+"/") {
			return fmt.Errorf("role %q may write %q; researchers write below .idumb only", Role, p)
		}
	}
	return nil
}

// Run starts a child for a request and calls started with its delegation. It
// returns the delegation after the child ended and its findings are stored.
func (r Researcher) Run(ctx context.Context, q Request, started func(*resources.Delegation)) (*resources.Delegation, error) {
	host, s, err := r.Plan(ctx, q)
	if err != nil {
		return nil, err
	}
	d := resources.New[*resources.Delegation](resources.Delegations, "")
	d.Metadata.Annotations = map[string]string{Question: q.Question, HostName: host.Name()}
	d.Spec = resources.DelegationSpec{Task: q.Task, From: q.Role, To: Role, ExpectedOutput: "the findings, as mems"}
	err = withDailyLimit(r.SettingsDir, s.PerDay, r.Repo.Now(), func() error {
		_, err := r.Repo.Create(ctx, d)
		return err
	})
	if err != nil {
		return nil, err
	}
	started(d)
	patience, _ := s.timeout() // validated by Allowed
	return r.supervise(ctx, q, d, host.Headless(), patience)
}

// supervise runs the child of a delegation, as long as the delegation is active,
// and stores the outcome.
func (r Researcher) supervise(ctx context.Context, q Request, d *resources.Delegation, h hosts.Headless, patience time.Duration) (*resources.Delegation, error) {
	running, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	running, done := context.WithTimeoutCause(running, patience, fmt.Errorf("it took longer than %s", patience))
	defer done()
	go r.watch(running, d.Key(), stop)
	c := child(running, h, string(r.Repo.Store.Root()), d.Metadata.Name, prompt(d.Metadata.Name, q.Task, q.Question), r.Env)
	o, failed := ask(running, c)
	after := context.WithoutCancel(ctx) // record the paid result even if this process is canceled
	var saved []string
	if failed == nil {
		saved, failed = r.save(after, d, o.Text)
	}
	said := fmt.Sprintf("completed: %d mems", len(saved))
	if failed != nil {
		said = "failed: " + admission.Plain(short(failed.Error()))
	}
	ended, err := r.end(after, d.Key(), o, said, failed)
	r.notify(q.Parent, d.Metadata.Name, said, saved)
	if failed != nil {
		failed = fmt.Errorf("delegation %q: %w", d.Metadata.Name, failed)
	}
	return ended, errors.Join(failed, err)
}

// watch stops a child whose delegation is no longer active.
func (r Researcher) watch(ctx context.Context, key resources.Key, stop context.CancelCauseFunc) {
	for tick := time.NewTicker(watchInterval); ; {
		select {
		case <-ctx.Done():
			tick.Stop()
			return
		case <-tick.C:
		}
		record, err := r.Repo.Record(ctx, key)
		if err != nil && !apierrors.IsNotFound(err) {
			continue // it is being written
		}
		if err == nil {
			o, _, err := resources.Decode(key, record.Spec)
			if err != nil || status.LiveDelegation(o.(*resources.Delegation)) {
				continue
			}
		}
		stop(errRecalled)
	}
}

// save stores each finding as a mem on the shelf "research", so that it replaces
// no mem of another shelf. It returns the names of the mems, also with an error.
func (r Researcher) save(ctx context.Context, d *resources.Delegation, text string) (names []string, err error) {
	sure := confidence
	for _, said := range findings(text) {
		m := resources.New[*resources.Mem](resources.Mems, "")
		m.Spec = resources.MemSpec{
			Content: said, Type: "research", Shelf: "research", Tags: []string{"research"}, OriginTask: d.Spec.Task,
			Source: d.Key().String(), Confidence: &sure,
		}
		result, _, err := r.Repo.SaveMem(ctx, m, mems.Save)
		if err != nil {
			return names, fmt.Errorf("a finding is not saved: %w", err)
		}
		names = append(names, result.Key.Name)
	}
	return names, nil
}

// end records the outcome and the cost of a delegation: done, or revoked after a
// failure. It keeps the state of a delegation that is no longer active.
func (r Researcher) end(ctx context.Context, key resources.Key, o hosts.Outcome, said string, failed error) (*resources.Delegation, error) {
	result, err := r.Repo.One(ctx, key, func(old resources.Object, v *mutate.View) (resources.Object, error) {
		d := old.(*resources.Delegation)
		if d.Metadata.Annotations == nil {
			d.Metadata.Annotations = map[string]string{}
		}
		d.Metadata.Annotations[Ended] = said
		if cost := costOf(o); cost != "" {
			d.Metadata.Annotations[Cost] = cost
		}
		session := resources.Key{Kind: resources.Sessions, Name: resources.NameOfID(o.Session)}
		if o.Session != "" && v.Exists(session) {
			d.Spec.Session = session.Name
		}
		if !status.LiveDelegation(d) {
			return d, nil
		}
		verb := transition.Return
		if failed != nil {
			verb = transition.Recall
		}
		return transition.Delegation(d, verb)
	})
	if err != nil {
		return nil, fmt.Errorf("record the result of delegation %q: %w", key.Name, err)
	}
	return result.New.(*resources.Delegation), nil
}

// costOf formats the cost reported by a host, or returns "".
func costOf(o hosts.Outcome) string {
	switch {
	case o.CostUSD != nil:
		return fmt.Sprintf("$%.4f, %d tokens", *o.CostUSD, o.Tokens)
	case o.Tokens > 0:
		return fmt.Sprintf("%d tokens", o.Tokens)
	}
	return ""
}

// notify leaves a message for the asking session, which its hooks deliver at the
// next turn. It does nothing without a session, and ignores errors.
func (r Researcher) notify(session, delegation, said string, saved []string) {
	if session == "" {
		return
	}
	line := "iDumb: the research of delegation/" + delegation + " " + said
	for _, name := range saved {
		line += ", mem/" + name
	}
	_ = r.Repo.Store.Scratch().Append(store.NotesFolder+"/"+session+layout.ResearchNotes, []byte(line+"\n"))
}

const (
	finding     = "FINDING:"
	maxFindings = 10
	maxFinding  = 2000 // bytes
)

// prompt returns the prompt of a child.
func prompt(delegation, task, question string) string {
	return "You research one question for another agent, under delegation/" + delegation + " for the task " + task + `.
You read and find out; you change no files, start no agents and start no research.
Say what you saw and where. End with at most ten lines, one for each thing found out, each
as "` + finding + ` the fact, and its source". The question:

` + question + "\n"
}

// findings returns the findings in a child's final message: each paragraph that
// begins with the mark, or else the whole message.
func findings(text string) (all []string) {
	for _, part := range strings.Split("\n"+text, "\n"+finding)[1:] {
		part, _, _ = strings.Cut(part, "\n\n")
		if part = short(part); part != "" && len(all) < maxFindings {
			all = append(all, part)
		}
	}
	if text = short(text); len(all) == 0 && text != "" {
		all = []string{text}
	}
	return all
}

// short returns a finding without surrounding space, cut at maxFinding bytes.
func short(text string) string {
	text = strings.TrimSpace(text)
	if len(text) <= maxFinding {
		return text
	}
	cut := maxFinding
	for cut > 0 && !utf8.RuneStart(text[cut]) {
		cut--
	}
	return text[:cut] + "..."
}

// Program returns the path of idumb, which runs researchers: in the directory
// of this program, or else in PATH.
func Program() (string, error) {
	if self, err := os.Executable(); err == nil {
		file := filepath.Join(filepath.Dir(self), "idumb"+filepath.Ext(self))
		if _, err := os.Stat(file); err == nil {
			return file, nil
		}
	}
	return exec.LookPath("idumb")
}

// Start runs a request in a separate process without waiting for the answer. It
// returns the name of the delegation, or an error if none was created.
func Start(ctx context.Context, q Request, root string, env []string) (string, error) {
	program, err := Program()
	if err != nil {
		return "", fmt.Errorf("research needs the program idumb: %w", err)
	}
	c := exec.Command(program, "-C", root, "research", "--wait", "--task="+q.Task, "--host="+q.Host, "--from="+q.Role, "--parent="+q.Parent, "--", "-")
	var complaint bytes.Buffer
	c.Dir, c.Env, c.Stdin, c.Stderr = root, env, strings.NewReader(q.Question), &complaint
	alone(c)
	out, err := c.StdoutPipe()
	if err != nil {
		return "", err
	}
	if err := c.Start(); err != nil {
		return "", err
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		_ = c.Wait()
		return "", errors.New(strings.TrimPrefix(strings.TrimSpace(complaint.String()), "error: "))
	}
	go c.Wait() // in a long-lived process, so that no zombie remains
	_, name, _ := strings.Cut(strings.TrimSpace(line), "/")
	name, _, _ = strings.Cut(name, " ")
	return name, ctx.Err()
}
