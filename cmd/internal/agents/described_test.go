package agents

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"

	projects "github.com/idumb-dev/idumb/resources/project"
)

// repository is the files of one, with their texts.
type repository map[string]string

func (f repository) Paths() []string { return nil }

func (f repository) Read(path string) ([]byte, error) {
	if text, ok := f[path]; ok {
		return []byte(text), nil
	}
	return nil, errors.New("no such file")
}

// TestInstalledFilesDoNotDescribeTheProject: a repository in which iDumb alone set up an agent does not use that
// agent's technologies.
func TestInstalledFilesDoNotDescribeTheProject(t *testing.T) {
	for _, h := range Hosts() {
		root, _ := project(t, "x", "")
		install(t, h.Name, root)
		all := repository(tree(t, root))
		for path := range all {
			if path[len(path)-1] != '/' {
				assert.True(t, projects.Installed(all, path), "%s: %s\n%s", h.Name, path, all[path])
			}
		}
	}
}
