package admission

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/idumb-dev/idumb/resources"
)

// TestWordsAsTheProgramReadsThem: however flags are written and wherever they stand, a command is judged as its plain form.
func TestWordsAsTheProgramReadsThem(t *testing.T) {
	for odd, plain := range map[string]string{
		"idumb patch -An tasks config config -p {} -An --dry-run":                  "idumb patch config config -p {}",
		"idumb patch -An tasks config config -p={}":                                "idumb patch config config -p {}",
		"idumb decide accept new -An --dry-run":                                    "idumb decide accept new",
		"idumb decide accept new --note --dry-run":                                 "idumb decide accept new",
		"idumb fail write-docs --reason x -An --dry-run":                           "idumb fail write-docs --reason x",
		"idumb complete write-docs -An --dry-run":                                  "idumb complete write-docs",
		"idumb session --force resume s1":                                          "idumb session resume s1",
		"idumb session -C . close s1":                                              "idumb session close s1",
		"idumb session -C . prune":                                                 "idumb session prune",
		"idumb -C. session --directory=. prune":                                    "idumb session prune",
		"idumb delegation --force revoke d1":                                       "idumb delegation revoke d1",
		"idumb delegation -C . revoke theirs --to reviewer":                        "idumb delegation revoke theirs --to reviewer",
		"idumb delegation -C . accept theirs":                                      "idumb delegation accept theirs",
		"idumb run -C . --complete write-docs -- true":                             "idumb complete write-docs",
		"idumb run -An --complete --complete write-docs -- true":                   "idumb complete write-docs",
		"idumb run --force --complete=write-docs true --complete build-login-form": "idumb complete write-docs",
		`idumb patch -An mem session s1 -p {"spec":{"delegation":null}}`:           "idumb patch session s1 -p {}",
		"idumb delete -An mem session s2":                                          "idumb delete session s2",
		"idumb patch -An tasks delegation theirs -p {}":                            "idumb patch delegation theirs -p {}",
		"idumb delete -An tasks delegation theirs":                                 "idumb delete delegation theirs",
		"idumb delete -Antasks delegation theirs":                                  "idumb delete delegation theirs",
		"idumb delete -RAf mem delegation theirs":                                  "idumb delete -f mem delegation theirs",
		"idumb archive --cascade mem session s1":                                   "idumb archive session s1",
		"idumb delete --cascade session s1":                                        "idumb delete session s1",
		"idumb apply -Af ses.yaml":                                                 "idumb apply -f ses.yaml",
		"idumb supersede -An mem decision old --by new":                            "idumb supersede decision old --by new",
		"idumb start -An workplan write-docs":                                      "idumb start write-docs",
		"idumb -C . accept -An x theirs":                                           "idumb delegation accept theirs",
		"idumb delete delegations -- theirs":                                       "idumb delete delegations theirs",
	} {
		want := rightsOf(t, plain)
		assert.Contains(t, want, "d", "nothing is denied of %s", plain)
		assert.Equal(t, want, rightsOf(t, odd), odd)
	}
}

// TestSeveralDelegations: a command that takes delegations by selector, or all of them, is judged as one about each.
func TestSeveralDelegations(t *testing.T) {
	for _, line := range []string{"idumb delete delegations --all", "idumb delete delegations -l x!=y", "idumb archive del -Al x!=y"} {
		w := newWorld()
		delegated(w).Metadata.Annotations = map[string]string{resources.AnnotationMadeBy: "main"}
		w.session("beside", resources.SessionSpec{})
		assert.Equal(t, "own-terms", Decide(govern(line).in("beside"), w).Reason.Rule, line)
		assert.Equal(t, NoOpinion, Decide(govern(line).in("main"), w).Outcome, line)
	}
}

func TestSeveralDecisions(t *testing.T) {
	w := newWorld()
	w.decision("old", resources.DecisionSpec{State: resources.DecisionAccepted})
	assert.Equal(t, AskPerson, Decide(govern("idumb delete decisions --all"), w).Outcome)
	w.decisions["old"].Spec.State = resources.DecisionProposed
	assert.Equal(t, NoOpinion, Decide(govern("idumb delete decisions --all"), w).Outcome)
}
