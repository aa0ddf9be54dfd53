package lint

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestGoneNames(t *testing.T) {
	old := texts{"a.ts": "export function findTeams() {}\nexport function plain() {}\nexport const kept_name = 1\n", "b.ts": ""}
	for name, test := range map[string]struct {
		files texts
		want  []string
	}{
		"a comment":              {texts{"b.ts": "// Encoded by findTeams, which see.\nexport const b = 1\n"}, []string{"gone-name b.ts:1 findTeams: no code names findTeams any more; a.ts declared it"}},
		"a document":             {texts{"AGENTS.md": "# Rules\n\nCall `findTeams()` or `kept_name`.\n"}, []string{"gone-name AGENTS.md:3 findTeams: no code names findTeams any more; a.ts declared it", "gone-name AGENTS.md:3 kept_name: no code names kept_name any more; a.ts declared it"}},
		"in another place":       {texts{"c.ts": "export function findTeams() {}\n", "b.ts": "// By findTeams.\n"}, nil},
		"code that names it":     {texts{"b.ts": "// By findTeams.\nfindTeams\n"}, nil},
		"code before a comment":  {texts{"b.ts": "// By findTeams.\nconst x = y.findTeams // findTeams\n"}, nil},
		"another file":           {texts{"b.ts": "// By findTeams.\n", "c.yaml": "run: findTeams\n"}, nil},
		"a word":                 {texts{"b.ts": "// It is plain.\n"}, nil},
		"code out of use":        {texts{"b.ts": "// const x = findTeams\n// findTeams()\n"}, nil},
		"a comment that says so": {texts{"b.ts": "// findTeams was removed.\n"}, nil},
		"a changelog":            {texts{"CHANGELOG.md": "# Changes\n\nWith `findTeams`.\n"}, nil},
		"nothing is gone":        {old, nil},
	} {
		t.Run(name, func(t *testing.T) { assert.Equal(t, test.want, told(GoneNames(tree(old), tree(test.files)))) })
	}
}
