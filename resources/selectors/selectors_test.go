package selectors

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestLabels(t *testing.T) {
	labels := map[string]string{"team": "web", "idumb.dev/tier": "2"}
	for _, tt := range []struct {
		in   string
		want bool
	}{
		{"", true},
		{"team=web", true},
		{"team==web", true},
		{"team = web", true},
		{"team=api", false},
		{"team!=api", true},
		{"team!=web", false},
		{"none!=x", true},
		{"none=x", false},
		{"team", true},
		{"none", false},
		{"!none", true},
		{"!team", false},
		{"team in (api, web)", true},
		{"team in (api)", false},
		{"team notin (api,db)", true},
		{"team notin (web)", false},
		{"none notin (x)", true},
		{"team=web,idumb.dev/tier in (1,2),!done", true},
		{"team=web,idumb.dev/tier=1", false},
	} {
		selector, err := ParseLabels(tt.in)
		require.NoError(t, err, tt.in)
		assert.Equal(t, tt.want, selector.Matches(labels), tt.in)
	}
}

func TestBadLabels(t *testing.T) {
	for _, in := range []string{"=x", "team in web", "team near (web)", "a b", "!", "a=b=c", "team in (a"} {
		_, err := ParseLabels(in)
		assert.ErrorContains(t, err, "unable to parse selector", in)
	}
}

func TestFields(t *testing.T) {
	object := map[string]any{
		"metadata": map[string]any{"name": "db"},
		"spec":     map[string]any{"title": "a,b", "dependsOn": []any{"x", "y"}, "level": 3.0, "planAhead": true},
		"status":   map[string]any{"phase": "blocked"},
	}
	for _, tt := range []struct {
		in   string
		want bool
	}{
		{"", true},
		{"status.phase=blocked", true},
		{"status.phase==blocked,metadata.name=db", true},
		{"status.phase!=blocked", false},
		{"status.phase=Blocked", false},
		{"spec.dependsOn=y", true},
		{"spec.dependsOn!=y", false},
		{"spec.dependsOn=z", false},
		{"spec.level=3", true},
		{"spec.planAhead=true", true},
		{"spec.assignedTo=", true},
		{"spec.assignedTo!=", false},
		{`spec.title=a\,b`, true},
		{".spec.level=3", true},
	} {
		selector, err := ParseFields(tt.in)
		require.NoError(t, err, tt.in)
		assert.Equal(t, tt.want, selector.Matches(object), tt.in)
	}
}

func TestBadFields(t *testing.T) {
	for _, in := range []string{"status.phase", "=x", "a..=x", "a[=x"} {
		_, err := ParseFields(in)
		assert.ErrorContains(t, err, "invalid field selector", in)
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{"a=b", "a in (b,c),!d", "status.phase!=x", `a\,=b`, "a notin ()"} {
		f.Add(seed)
	}
	object := map[string]any{"a": []any{"b"}, "status": map[string]any{"phase": "x"}}
	f.Fuzz(func(_ *testing.T, in string) {
		if l, err := ParseLabels(in); err == nil {
			l.Matches(map[string]string{"a": "b"})
		}
		if s, err := ParseFields(in); err == nil {
			s.Matches(object)
		}
	})
}
