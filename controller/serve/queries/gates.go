package queries

import (
	"bytes"
	"cmp"
	"os"
	"slices"

	"github.com/idumb-dev/idumb/controller/hooks/hosts"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/attention"
)

// gate describes the gate of one host.
type gate struct {
	host  attention.Host
	signs []string // files that show that the host is in use
	files []string // settings files, one of which names the hook if it is installed
}

// gates is the table of hosts.
var gates = [...]gate{
	{attention.Host{Name: "claude", Title: "Claude Code"}, []string{".claude", "CLAUDE.md"}, []string{".claude/settings.json", ".claude/settings.local.json"}},
	{attention.Host{Name: "opencode", Title: "OpenCode"}, []string{".opencode", "opencode.json", "opencode.jsonc"}, []string{".opencode/plugin/idumb.js", ".opencode/plugins/idumb.js"}},
	{attention.Host{Name: "codex", Title: "Codex"}, []string{".codex"}, []string{".codex/hooks.json", ".codex/config.toml"}},
	{attention.Host{Name: "copilot", Title: "Copilot CLI"}, []string{".github/copilot", ".github/agents", ".github/hooks"}, []string{".github/hooks/idumb.json"}},
	{attention.Host{Name: "gemini", Title: "Gemini CLI"}, []string{".gemini", "GEMINI.md"}, []string{".gemini/settings.json"}},
}

// ungated returns the hosts that are in use without an active gate. A host has
// a gate if the repository's settings contain the hook, or if the hook was
// seen, for example from a user-level plugin. A host that disables hooks in its
// settings has none.
func ungated(s *Source) []attention.Host {
	var all []attention.Host
	for _, g := range gates {
		if off := hosts.HooksOff(string(s.Root)); g.host.Name == "claude" && len(off) > 0 {
			g.host.Off = off[0]
			all = append(all, g.host)
			continue
		}
		if slices.ContainsFunc(g.signs, func(sign string) bool { _, err := os.Lstat(s.Root.Abs(sign)); return err == nil }) && !g.isActive(s) {
			all = append(all, g.host)
		}
	}
	return all
}

// isActive reports whether the repository's settings contain the hook, or whether a session of the
// host was recorded.
func (g *gate) isActive(s *Source) bool {
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
