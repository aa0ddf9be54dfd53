package main

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/cmd/internal/kubectl/terminal"
	"github.com/idumb-dev/idumb/cmd/internal/tools"
	"github.com/idumb-dev/idumb/controller/mutate"
	"github.com/idumb-dev/idumb/controller/mutate/acts"
	"github.com/idumb-dev/idumb/controller/mutate/queue/requests"
	"github.com/idumb-dev/idumb/controller/mutate/transition"
	"github.com/idumb-dev/idumb/controller/serve/queries"
	"github.com/idumb-dev/idumb/packer"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// doing is an act with the arguments of a command line.
type doing struct {
	writeFlags
	acts.Act
	arguments acts.Said
	ended     bool // a task that was worked on ended
	unreached bool // the team was not reached, and the user received a warning
}

// table returns all acts. It builds the table once for each command.
func (a *app) table() []acts.Act {
	if a.acts == nil {
		a.acts = acts.All()
	}
	return a.acts
}

// withActs returns the table of verbs, with rows for the acts that have none.
func (a *app) withActs() []verb {
	all := verbs[:]
	for _, act := range a.table() {
		if !strings.Contains(act.Verb, " ") && act.Verb != "" && !slices.ContainsFunc(verbs[:], func(v verb) bool { return v.name == act.Verb }) {
			all = append(all, verb{name: act.Verb, group: groupOf[act.Kinds[0]], build: newAct(act)})
		}
	}
	return all
}

// actsBelow returns the subcommands of a verb that are acts.
func (a *app) actsBelow(verb string) (all []*cobra.Command) {
	for _, act := range a.table() {
		if strings.HasPrefix(act.Verb, verb+" ") {
			all = append(all, newAct(act)(a))
		}
	}
	return all
}

// newAct returns the command of an act, with its flags.
func newAct(act acts.Act) func(*app) *cobra.Command {
	return func(a *app) *cobra.Command {
		d, then := doing{Act: act}, ""
		c := newCommand(act.Verb, cobra.MinimumNArgs(1), func(c *cobra.Command, args []string) error {
			for _, arg := range act.Args {
				name, _ := arg.Flag()
				text, ok := arg.In(&d.arguments).(*string)
				if ok && *text == "-" {
					var err error
					if *text, err = readText(a.stdin); err != nil {
						return fmt.Errorf("--%s -: %w", name, err)
					}
				}
				if ok && *text == "" && c.Flags().Changed(name) { // as from an unset variable
					return fmt.Errorf("--%s is empty; give a value, or omit the flag", name)
				}
			}
			return a.doThen(c.Context(), &d, args, then)
		})
		if act.Name == string(transition.Complete) {
			c.Flags().StringVar(&then, "start", "", "the task to start afterwards")
			a.completeFlagNames(c, "start", resources.Tasks)
		}
		if act.One {
			c.Args = cobra.ExactArgs(1)
		}
		if c.Use == "" {
			setHelp(c, act.Text)
		}
		for _, arg := range act.Args {
			a.addArg(c, arg, &d.arguments)
		}
		c.ValidArgsFunction = a.completeNamesOf(act.Kinds[0])
		switch {
		case act.Kinds[0] == resources.Tasks:
			c.ValidArgsFunction = a.completePhases(act.Phases...)
		case act.OtherKinds != nil:
			c.ValidArgsFunction = a.completeObjects(completeNames)
		}
		addWriteFlags(c, &d.writeFlags)
		if act.Name == string(transition.Complete) {
			c.MarkFlagsMutuallyExclusive("start", "dry-run")
		}
		return c
	}
}

// doThen performs an act, and then starts a task if one is named. After an error it starts none.
func (a *app) doThen(ctx context.Context, d *doing, args []string, task string) error {
	err := a.doAll(ctx, d, args)
	if err != nil && task != "" {
		a.errf("%s was not started\n", terminal.EscapeLine(task))
	}
	if err != nil || task == "" {
		return err
	}
	start, _ := acts.Named(a.table(), string(transition.Start))
	return a.doAll(ctx, &doing{writeFlags: d.writeFlags, Act: start}, []string{task})
}

// addArg declares the flag of an act's argument. The value is stored in the given arguments.
func (a *app) addArg(c *cobra.Command, arg acts.Arg, said *acts.Said) {
	name, help := arg.Flag()
	switch field := arg.In(said).(type) {
	case *string:
		c.Flags().StringVar(field, name, "", help)
	case *[]string:
		c.Flags().StringSliceVar(field, name, nil, help)
	case *[]int:
		c.Flags().IntSliceVar(field, name, nil, help)
	case *bool:
		c.Flags().BoolVar(field, name, false, help)
	}
	switch {
	case arg.Names() != "":
		a.completeFlagNames(c, name, arg.Names())
	case arg.Choices != nil:
		completeFlag(c, name, arg.Choices...)
	case name == "met":
		c.RegisterFlagCompletionFunc(name, a.completeOpenCriteria)
	}
	if old := arg.Old(); old != "" {
		addOldName(c, name, old)
	}
}

// keysFor parses the objects of an act: KIND NAME..., KIND/NAME..., or names.
func (a *app) keysFor(act acts.Act, args []string) ([]resources.Key, error) {
	kinds := slices.Concat(act.Kinds, act.OtherKinds)
	if slices.Contains(kinds, resources.Tasks) {
		args = a.bareTasks(args)
	}
	args = dropRepeatedKind(args)
	if _, isKind := resources.LookupKind(args[0]); !isKind || len(args) == 1 {
		for i := range args {
			if !strings.Contains(args[i], "/") {
				args[i] = act.Kinds[0] + "/" + args[i]
			}
		}
	}
	keys, err := parseKeys(args)
	for _, key := range keys {
		if !slices.Contains(kinds, key.Kind) {
			return nil, fmt.Errorf("idumb %s does not apply to %s; it applies to %s", act.Verb, requests.NamesOf(key)[0], strings.Join(kinds, ", "))
		}
	}
	return keys, err
}

// dropRepeatedKind converts KIND KIND/NAME... to KIND NAME....
func dropRepeatedKind(args []string) []string {
	if len(args) == 0 {
		return nil
	}
	short := slices.Clone(args)
	kind, known := resources.LookupKind(args[0])
	for i, name := range short {
		word, rest, slashed := strings.Cut(name, "/")
		if again, is := resources.LookupKind(word); known && slashed && is && again == kind {
			short[i] = rest
		}
	}
	return short
}

// doAll performs an act on the resources that args name, one after the other. It returns an error
// before the first change if a given flag does not apply to the kind of one of them.
func (a *app) doAll(ctx context.Context, d *doing, args []string) error {
	keys, err := a.keysFor(d.Act, args)
	if err != nil {
		return err
	}
	for _, arg := range d.Args {
		for _, key := range keys {
			if name, _ := arg.Flag(); arg.IsGiven(&d.arguments) && !arg.AppliesTo(key.Kind) {
				return fmt.Errorf("--%s does not apply to %s", name, key.Kind)
			}
		}
		if files, ok := arg.In(&d.arguments).(*[]string); ok && arg.IsPath() {
			for i, file := range *files {
				(*files)[i] = a.fileFromRoot(file)
			}
		}
	}
	repo, err := a.writer(&d.writeFlags)
	if err != nil {
		return err
	}
	repo.Unreached = func(text string) { d.unreached = true; repo.Warn(text) }
	err = each(keys, func(key resources.Key) error { return a.doOne(ctx, repo, d, key) })
	if d.ended && !d.unreached {
		a.tellTeam(ctx, repo.Author.Session == "")
	}
	return err
}

// tellTimeout is the timeout for the exchange with the team after a task of a user ended.
const tellTimeout = 20 * time.Second

// tellTeam exchanges the task's state with the team if no controller is running, so that other clones
// see that the task was started or has ended. For an agent it only prints a note, because an agent
// does not wait.
func (a *app) tellTeam(ctx context.Context, wait bool) {
	root, err := a.root()
	if err != nil {
		return
	}
	note := tools.TeamNote(ctx, root)
	if note == "" {
		return
	}
	if !wait {
		a.errf("%s\n", note)
		return
	}
	ctx, cancel := context.WithTimeout(ctx, tellTimeout)
	defer cancel()
	if _, err := a.exchange(ctx); err != nil {
		a.errf("Warning: the team did not receive the change: %s; the next controller sends it, or run idumb sync now\n", terminal.EscapeLine(err.Error()))
	}
}

// doOne performs an act on one resource, and prints the results for it and the related resources,
// with notes for the user.
func (a *app) doOne(ctx context.Context, repo mutate.Repo, d *doing, key resources.Key) error {
	var bearing <-chan *packer.TaskKnowledge
	if d.Name == string(transition.Start) && key.Kind == resources.Tasks && repo.Author.Session == "" && !repo.DryRun {
		bearing = a.askBearing(ctx, key.Name)
	}
	moved, err := d.Do(ctx, acts.Actor{Repo: repo, Person: userName()}, key, d.arguments)
	if err != nil {
		return err
	}
	d.ended, d.unreached = d.ended || moved.Released, d.unreached || moved.Unreached
	what := d.Word
	if p, ok := moved.New.(*resources.WorkPlan); ok && len(d.arguments.Met) > 0 && p.Spec.State != resources.PlanCompleted {
		what = "configured"
	}
	switch {
	case d.arguments.Back:
		what = "back"
	case len(d.arguments.Into) > 0:
		what += " into " + strings.Join(d.arguments.Into, ", ")
	}
	if moved.GivenBack {
		a.errf("your agents can work on task/%s again\n", key.Name)
	}
	if moved.Operation == mutate.Unchanged && len(moved.Recalled) == 0 && !moved.Claimed {
		what = mutate.Unchanged
	}
	if err := a.echo(&d.writeFlags, moved.New, what); err != nil || what == mutate.Unchanged {
		return err
	}
	for _, also := range moved.Related {
		if also.Operation == mutate.Created {
			a.echoUID(&d.writeFlags, also.New)
		}
		if given, ok := also.New.(*resources.Delegation); ok {
			a.warnOfStranger(ctx, given.Spec.To)
		}
		if err := a.echo(&d.writeFlags, also.New, also.Operation); err != nil {
			return err
		}
	}
	if moved.Previous != nil {
		a.errf("taken over from %s\n", terminal.EscapeLine(moved.Previous.String()))
	}
	if moved.Exclusive {
		a.errf("agents cannot work on it until you hand it over or run: idumb start %s\n", key.Name)
	}
	for _, name := range moved.Recalled {
		a.errf("delegation/%s recalled: its session has ended\n", name)
	}
	if p, ok := moved.New.(*resources.WorkPlan); ok && what == "configured" && moved.Outcome.Open == nil {
		a.echoUnmet(p)
	}
	a.echoOutcome(moved.Outcome)
	if missing := moved.MissingEvidence; len(missing) > 0 {
		a.errf("task/%s: missing evidence: %s\n  %s\n", key.Name, terminal.EscapeLine(status.ListedEvidence(missing)), terminal.EscapeLine(status.EvidenceCommand(missing, key.Name)))
	}
	if bearing != nil {
		told := <-bearing
		if before, ok := moved.Old.(*resources.Task); !ok || !status.LiveTask(before) {
			told = nil // it had ended before the query
		}
		a.echoBearing(ctx, key.Name, told)
	}
	if len(moved.Confirmed) > 0 {
		a.errf("confirmed: mem/%s\n", strings.Join(moved.Confirmed, ", mem/"))
	}
	return nil
}

// echoUnmet prints the open criteria of a plan whose tasks are not all done.
func (a *app) echoUnmet(p *resources.WorkPlan) {
	if open := status.OpenCriteria(p); len(open) > 0 {
		a.errf("workplan/%s: open criteria: %s\n", p.Metadata.Name, terminal.EscapeLine(status.ListedCriteria(p, open)))
		return
	}
	a.errf("workplan/%s: all criteria are met\n", p.Metadata.Name)
}

// echoOutcome prints the effects of a move, in a form that agents can use.
func (a *app) echoOutcome(outcome transition.Outcome) {
	if len(outcome.Unblocked) > 0 {
		a.errf("unblocked: %s\n", strings.Join(mutate.Shorten(outcome.Unblocked, fewNames), ", "))
	}
	if len(outcome.Broken) > 0 {
		a.errf("Warning: broken chain: these depend on this task: %s; edit their dependsOn, restore this task, or abandon them as well\n", strings.Join(mutate.Shorten(outcome.Broken, fewNames), ", "))
	}
	if p := outcome.Open; p != nil {
		open := status.OpenCriteria(p)
		listed := terminal.EscapeLine(status.ListedCriteria(p, open))
		if p.Spec.State == resources.PlanActive {
			a.errf("workplan/%s: open criteria: %s\n  %s\n", p.Metadata.Name, listed, status.MeetStep(p, open))
		} else {
			a.errf("Warning: workplan/%s is %s with open criteria: %s\n", p.Metadata.Name, p.Spec.State, listed)
		}
	}
	for _, note := range outcome.Notes {
		a.errf("%s\n", terminal.EscapeLine(note))
	}
}

// askBearing queries the controller for the knowledge about a task while the task is being started,
// because afterwards the controller is busy with the change. The channel receives nil if no
// controller answers.
func (a *app) askBearing(ctx context.Context, task string) <-chan *packer.TaskKnowledge {
	answer := make(chan *packer.TaskKnowledge, 1)
	go func() {
		b, hangUp := fromController[packer.TaskKnowledge](a.answers(ctx), queries.AskBearing, url.Values{"task": {task}})
		hangUp()
		answer <- b
	}()
	return answer
}

// echoBearing prints the knowledge about a started task and the tasks that wait for it. b is the
// earlier answer, or nil. In a session with hooks, the agent gets the knowledge in its context.
func (a *app) echoBearing(ctx context.Context, task string, b *packer.TaskKnowledge) {
	if b == nil {
		now, err := ask[packer.TaskKnowledge](a.answers(ctx), queries.AskBearing, url.Values{"task": {task}})
		if err != nil {
			return // the task was started in any case
		}
		b = &now
	}
	if len(b.Knowledge) > 0 {
		a.errf("related knowledge:\n")
	}
	for _, known := range b.Knowledge {
		a.errf("- %s\n", terminal.Wrap(terminal.EscapeLine(known), 98, "  "))
	}
	if len(b.Dependents) > 0 {
		a.errf("tasks that wait for this one: %s\n", strings.Join(b.Dependents, ", "))
	}
}

// fewNames is the maximal number of printed names.
const fewNames = 10
