package main

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const module = "github.com/idumb-dev/idumb/"

// mayLink are our packages that the hook may link; of everybody else's, the
// standard library only. It starts for every tool call, so every package counts.
var mayLink = []string{
	"cmd/idumb-hook", "cmd/internal/version", "controller/hooks", "controller/hooks/hosts", "controller/hooks/effects", "controller/serve/frame",
	"resources", "resources/apierrors", "resources/admission", "resources/admission/command", "resources/admission/packages", "resources/project/manifest",
	"resources/status", "resources/testoutput", "resources/tokens", "resources/memory", "resources/graph", "resources/scc", "controller/store", "controller/store/layout", "controller/hooks/callers", "controller/hooks/grants", "controller/lifecycle", "controller/trust",
	"controller/mutate/queue/requests", "controller/process", "controller/leases", "controller/planvisibility", "controller/gitcommand", "controller/store/githistory",
}

// TestHostsKnowNoRepository: a host is bytes and events, whatever is done about them.
func TestHostsKnowNoRepository(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "../../controller/hooks/hosts").Output()
	require.NoError(t, err)
	for path := range strings.Lines(string(out)) {
		if path, ours := strings.CutPrefix(strings.TrimSpace(path), module); ours {
			assert.True(t, path == "controller/hooks/hosts" || path == "resources" || strings.HasPrefix(path, "resources/"), path)
		}
	}
}

// heavy are packages of the standard library that cost start-up and that nothing
// here needs. os/exec is not among them: the gate asks git about uncommitted work.
var heavy = []string{"net", "net/http", "regexp", "text/template", "html/template", "go/ast", "encoding/gob", "crypto/tls", "testing", "flag", "log/slog", "os/user"}

func TestLinksLittle(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "-f", "{{.ImportPath}} {{.Standard}}", ".").Output()
	require.NoError(t, err)
	for line := range strings.Lines(string(out)) {
		path, standard, _ := strings.Cut(strings.TrimSpace(line), " ")
		if standard == "true" {
			assert.NotContains(t, heavy, path)
			continue
		}
		assert.Contains(t, mayLink, strings.TrimPrefix(path, module))
	}
}
