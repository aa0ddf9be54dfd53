package admission

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission/packages"
	"github.com/idumb-dev/idumb/resources/apierrors"
)

func decided(state string, change ...func(*resources.Decision)) *resources.Decision {
	d := empty(resources.Decisions).(*resources.Decision)
	d.Metadata.Name, d.Spec = "d", resources.DecisionSpec{Title: "D", State: state}
	for _, f := range change {
		f(d)
	}
	return d
}

func byAgent(d *resources.Decision) {
	d.Metadata.Annotations = map[string]string{resources.AnnotationMadeBy: "s1"}
}

// What agents may do to a decision, and what is refused to them, by whatever route.
func TestAgentsPropose(t *testing.T) {
	worded := func(d *resources.Decision) { d.Spec.Because = "x" }
	for _, c := range []struct {
		name      string
		old, next *resources.Decision
		refused   string // "" for nothing
	}{
		{"propose", nil, decided(""), ""},
		{"make one accepted", nil, decided("accepted"), "accept"},
		{"make one rejected", nil, decided("rejected"), "reject"},
		{"word a proposal", decided(""), decided("proposed", worded), ""},
		{"accept", decided(""), decided("accepted"), "accept"},
		{"reject", decided("proposed"), decided("rejected"), "reject"},
		{"accept its own", decided("", byAgent), decided("accepted", byAgent), "accept"},
		{"deprecate", decided("accepted"), decided("deprecated"), "deprecate"},
		{"reopen", decided("accepted"), decided(""), "reopen"},
		{"reopen its own", decided("rejected", byAgent), decided("", byAgent), "reopen"},
		{"change what is decided", decided("accepted"), decided("accepted", worded), "change the content of"},
		{"label what is decided", decided("accepted"), decided("accepted", func(d *resources.Decision) { d.Metadata.Labels = map[string]string{"a": "b"} }), ""},
		{"remove what is decided", decided("accepted", byAgent), nil, "remove"},
		{"remove a user's proposal", decided(""), nil, "remove"},
		{"remove its own proposal", decided("", byAgent), nil, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			var old, next resources.Object
			if c.old != nil {
				old = c.old
			}
			if c.next != nil {
				next = c.next
			}
			err := Transition(old, next, nil, false, newWorld())
			if c.refused == "" {
				assert.NoError(t, err)
				return
			}
			var refused *apierrors.Refusal
			require.True(t, errors.As(err, &refused), "%v", err)
			assert.Equal(t, "cannot "+c.refused+" decision/d", refused.What)
			assert.NoError(t, Transition(old, next, func(string) bool { return true }, false, newWorld()), "who decides does")
		})
	}
}

// Only a role that names decide decides: an empty list, which allows all tools, and a glob do not.
func TestWhoDecides(t *testing.T) {
	for _, c := range []struct {
		allow, deny []string
		want        bool
	}{
		{nil, nil, false}, {[]string{"*"}, nil, false}, {[]string{"read", "decide"}, nil, true}, {[]string{"Decide"}, nil, true}, {[]string{"decide"}, []string{"decide"}, false},
	} {
		r := &resources.Role{}
		r.Spec.Tools = resources.RuleSet{Allow: c.allow, Deny: c.deny}
		assert.Equal(t, c.want, Decides(r), "%v %v", c.allow, c.deny)
	}
	assert.False(t, Decides(nil))
}

// The person is asked before a command decides, unless the role does, or they agreed to this very call.
func TestDecidingIsAsked(t *testing.T) {
	w := newWorld()
	w.decision("d", resources.DecisionSpec{Title: "D"})
	w.decision("done", resources.DecisionSpec{Title: "Done", State: resources.DecisionAccepted})
	w.role("judge", resources.RoleSpec{Tools: resources.RuleSet{Allow: []string{"bash", "decide"}}})
	for line, want := range map[string][]string{
		"idumb decide accept d":                    {"d"},
		"idumb decide accept decision/d done":      {"d", "done"},
		"idumb decide reject d --reason done":      {"d"},
		"idumb decide supersede d --by nothing":    nil,
		"idumb decide supersede done --by d":       {"done"},
		"idumb decide accept all cookies":          nil,
		"idumb decide A sentence --task d":         nil,
		"idumb decide accept d --dry-run":          nil,
		"idumb accept decision d":                  {"d"},
		"idumb delete decision done":               {"done"},
		"idumb delete decision d":                  nil,
		"idumb patch decision/done -p x":           {"done"},
		"idumb label decision done a=b":            nil,
		"idumb get decisions":                      nil,
		"idumb describe decision done":             nil,
		"idumb archive tasks/x decisions/done":     {"done"},
		"idumb -C /tmp/x decide accept decision/d": {"d"},
	} {
		v := Decide(govern(line), w)
		assert.Equal(t, want, v.Decides, line)
		assert.Equal(t, want != nil, v.Outcome == AskPerson, "%s: %s", line, v.Outcome)
		assert.NotEqual(t, AskPerson, Decide(govern(line).as("judge"), w).Outcome, line)
		agreed := govern(line)
		agreed.Agreed = func(string) bool { return true }
		assert.NotEqual(t, AskPerson, Decide(agreed, w).Outcome, line)
	}
	v := Decide(govern("idumb decide accept d"), w).WithoutAsking()
	assert.Equal(t, Deny, v.Outcome)
	assert.Contains(t, v.Reason.Text(), "Leave it proposed, and ask the user: `idumb decide accept d`.")
}

// adding is a call that brings in a package.
func adding(name, version, file string) Call {
	c := run("npm install " + name)
	c.Adds = []Added{{packages.Package{Name: name, Version: version}, file, "npm install " + name}}
	return c
}

func TestWhatADecisionAvoids(t *testing.T) {
	deny := func(d *resources.DecisionSpec) { d.OnViolation = resources.ViolationDeny }
	for _, c := range []struct {
		name    string
		change  func(*resources.DecisionSpec)
		call    Call
		planned bool
		want    Outcome
	}{
		{"a warning", nil, adding("moment", "", "package.json"), true, Advise},
		{"a denial", deny, adding("moment", "", "package.json"), true, Deny},
		{"a denial where nothing is planned is told", deny, adding("moment", "", "package.json"), false, Advise},
		{"none", func(d *resources.DecisionSpec) { d.OnViolation = resources.ViolationNone }, adding("moment", "", "package.json"), true, NoOpinion},
		{"another package", deny, adding("dayjs", "", "package.json"), true, NoOpinion},
		{"a version that is meant", deny, adding("next", "15", "package.json"), true, Deny},
		{"a version that is not", deny, adding("next", "16", "package.json"), true, NoOpinion},
		{"no version", deny, adding("next", "", "package.json"), true, NoOpinion},
		{"not resolved", func(d *resources.DecisionSpec) { deny(d); d.State = "" }, adding("moment", "", "package.json"), true, NoOpinion},
		{"rejected", func(d *resources.DecisionSpec) { deny(d); d.State = resources.DecisionRejected }, adding("moment", "", "package.json"), true, NoOpinion},
		{"where it holds", func(d *resources.DecisionSpec) { deny(d); d.Paths = []string{"web/**"} }, adding("moment", "", "web/package.json"), true, Deny},
		{"elsewhere", func(d *resources.DecisionSpec) { deny(d); d.Paths = []string{"web/**"} }, adding("moment", "", "api/package.json"), true, NoOpinion},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld()
			onDocs(w)
			if !c.planned {
				nothingPlanned(w)
			}
			spec := resources.DecisionSpec{Title: "Dates by Temporal", State: resources.DecisionAccepted, Because: "moment is <b>big</b>", Uses: []string{"temporal"}, Avoids: []string{"moment", "next@<16"}}
			if c.change != nil {
				c.change(&spec)
			}
			w.decision("dates", spec)
			v := Decide(c.call, w)
			assert.Equal(t, c.want, v.Outcome, v.Reason.Text())
			switch v.Outcome {
			case Deny:
				text := v.Reason.Text()
				assert.Contains(t, text, "decision/dates")
				assert.Contains(t, text, `USE INSTEAD: Take "temporal" instead`)
				assert.NotContains(t, text, "<b>")
			case Advise:
				assert.Contains(t, v.Advice, "decision/dates")
				assert.NotContains(t, v.Advice, "<b>")
			}
		})
	}
}

// A denial comes before a warning, whatever the names of the decisions.
func TestTheDecisionThatDenies(t *testing.T) {
	w := newWorld()
	onDocs(w)
	w.decision("a", resources.DecisionSpec{Title: "A", State: resources.DecisionAccepted, Avoids: []string{"moment"}})
	w.decision("b", resources.DecisionSpec{Title: "B", State: resources.DecisionAccepted, Avoids: []string{"moment"}, OnViolation: resources.ViolationDeny})
	v := Decide(adding("moment", "", "package.json"), w)
	assert.Equal(t, Deny, v.Outcome)
	assert.Contains(t, v.Reason.Text(), "decision \"b\" avoids it")
	assert.Contains(t, v.Reason.UseInstead, "Do not add it.")
}

// A task that hangs on an open decision is not written for, and the denial says what helps.
func TestATaskWithAnOpenDecision(t *testing.T) {
	w := newWorld()
	onDocs(w)
	w.tasks["write-docs"].Spec.Decisions = []string{"d"}
	for state, want := range map[string]string{
		"":                         "ask the user to decide: `idumb decide accept d`",
		resources.DecisionRejected: "ask the user to link another decision, or take decision/d out of spec.decisions",
		"gone":                     "ask the user to link another decision",
	} {
		delete(w.decisions, "d")
		if state != "gone" {
			w.decision("d", resources.DecisionSpec{Title: "D", State: state})
		}
		v := Decide(write("docs/a.md"), w)
		require.Equal(t, Deny, v.Outcome, state)
		assert.Equal(t, "task-phase", v.Reason.Rule)
		assert.Contains(t, v.Reason.Text(), want)
	}
	w.decision("d", resources.DecisionSpec{Title: "D", State: resources.DecisionAccepted})
	assert.NotEqual(t, Deny, Decide(write("docs/a.md"), w).Outcome)
}
