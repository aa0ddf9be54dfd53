package questions

import (
	"bytes"
	"cmp"
	"os"
	"slices"

	"github.com/idumb-dev/idumb/controller/hooks/hosts"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/needs"
)

// gate is how a host is held to the plan in a repository.
type gate struct {
	host  needs.Host
	signs []string // that somebody uses it there
	files []string // one of which names our hook, where it is
}

// gates is the table of them.
var gates = [...]gate{
	{needs.Host{Name: "claude", Title: "Claude Code"}, []string{".claude", "CLAUDE.md"}, []string{".claude/settings.json", ".claude/settings.local.json"}},
	{needs.Host{Name: "opencode", Title: "OpenCode"}, []string{".opencode", "opencode.json", "opencode.jsonc"}, []string{".opencode/plugin/idumb.js", ".opencode/plugins/idumb.js"}},
	{needs.Host{Name: "codex", Title: "Codex"}, []string{".codex"}, []string{".codex/hooks.json", ".codex/config.toml"}},
}

// ungated are the hosts that are used here and have no gate: none in the repository's settings, and none that
// was heard of, as of a plugin in the person's own; or whose settings turn it off.
func ungated(s *Source) []needs.Host {
	var all []needs.Host
	for _, g := range gates {
		if off := hosts.HooksOff(string(s.Root)); g.host.Name == "claude" && len(off) > 0 {
			g.host.Off = off[0]
			all = append(all, g.host)
			continue
		}
		if slices.ContainsFunc(g.signs, func(sign string) bool { _, err := os.Lstat(s.Root.Abs(sign)); return err == nil }) && !g.stands(s) {
			all = append(all, g.host)
		}
	}
	return all
}

func (g *gate) stands(s *Source) bool {
	for _, file := range g.files {
		if text, exists := s.Root.SourceText(file); exists && bytes.Contains(text, []byte("idumb-hook")) {
			return true
		}
	}
	return slices.ContainsFunc(s.List(resources.Sessions), func(key resources.Key) bool {
		o, _ := s.Get(key)
		session, ok := o.(*resources.Session)
		return ok && cmp.Or(session.Spec.Host, session.Spec.Agent) == g.host.Name
	})
}
