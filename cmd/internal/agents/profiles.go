package agents

import (
	"embed"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/cmd/internal/scaffold"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
)

// profile is the profile of an agent for a role.
type profile struct {
	text
	mode     string // primary, all or subagent, as in OpenCode
	readOnly bool   // must not write files of the project
	leaf     bool   // must not start subagents
}

// profiles lists the agents of a repository: the three of the core set, and one for each role of
// the full set that the repository has. They contain only shipped text, never text from the
// repository. The role solo needs no profile, because the host's default agent has it.
func profiles(root, host, tool string) (list []profile) {
	for _, t := range textsIn("agents", host, tool) {
		mode := "all"
		if t.name == "coordinator" {
			mode = "primary"
		}
		list = append(list, profile{text: t, mode: mode, readOnly: readOnly[t.name]})
	}
	roles, err := scaffold.ShippedRoles(scaffold.FullRoles)
	if err != nil {
		return list // tests read all shipped files
	}
	for _, r := range roles {
		summary, ships := summaries()[r.Metadata.Name]
		if ships && hasRole(root, r.Metadata.Name) {
			list = append(list, profileOf(r, summary, tool))
		}
	}
	return list
}

// hasRole reports whether the repository has the file of a role.
func hasRole(root, name string) bool {
	_, err := os.Lstat(filepath.Join(root, layout.Dir, resources.Roles, name+".json"))
	return err == nil
}

// profileOf returns the profile of the agent for a role. Whether the agent is read-only or may
// start subagents follows from the rights of the role.
func profileOf(r *resources.Role, summary, tool string) profile {
	p := profile{text: text{name: r.Metadata.Name, description: summary}, mode: "subagent"}
	switch {
	case r.Spec.Mode == resources.RolePrimary:
		p.mode = resources.RolePrimary
	case r.Spec.Level < 2:
		p.mode = "all"
	}
	p.leaf = slices.Contains(r.Spec.Tools.Deny, "task")
	p.readOnly = slices.Contains(r.Spec.Paths.Deny, "**") || writesOnlyIdumb(r.Spec.Paths.Write)
	p.body = bodyOf(r, p, tool)
	return p
}

// writesOnlyIdumb reports whether there are globs and all are below .idumb.
func writesOnlyIdumb(globs []string) bool {
	return len(globs) > 0 && !slices.ContainsFunc(globs, func(glob string) bool { return !strings.HasPrefix(glob, layout.Dir+"/") })
}

// bodyOf returns the instructions of an agent: the rules of its role, and the tools for its work.
func bodyOf(r *resources.Role, p profile, tool string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "You act in the role %s. `idumb describe role %s` prints its permissions.\n\n", r.Metadata.Name, r.Metadata.Name)
	for _, rule := range r.Spec.Rules {
		fmt.Fprintf(&b, "- %s\n", rule)
	}
	may := func(command string) bool { return !slices.Contains(r.Spec.Shell.Deny, command) }
	if may("idumb create workplan") && p.readOnly {
		fmt.Fprintf(&b, "- Plan with `%sgovern_plan`. Use acceptance criteria that a command or a file can prove. Create small tasks. Set `dependsOn` for tasks that must be completed first.\n", tool)
	}
	switch {
	case p.leaf:
		b.WriteString("- Do not start other agents.\n")
	case may("idumb create delegation"):
		fmt.Fprintf(&b, "- Delegate each task with `%sgovern_delegate`, action \"assign\". Then start a subagent. Put the tag from the answer (delegation/NAME) into its prompt. You may delegate to: %s.\n", tool, agentNames(r))
	default:
		fmt.Fprintf(&b, "- If you need help, start: %s.\n", agentNames(r))
	}
	if may("idumb start") {
		fmt.Fprintf(&b, "- Start the task assigned to you with `%sgovern_task`. Complete it there with evidence. If you cannot complete it, fail it with the reason.\n", tool)
	}
	fmt.Fprintf(&b, "- Save useful findings with `%smem`, action \"save\". Save an approach that failed with action \"flag_false_path\".\n", tool)
	b.WriteString("- If a call is denied, do the step that the denial names. Do not repeat the call; it is denied again.\n")
	return b.String()
}

// agentNames lists the agents of the roles that a role delegates to.
func agentNames(r *resources.Role) string {
	names := make([]string, len(r.Spec.DelegatesTo))
	for i, name := range r.Spec.DelegatesTo {
		names[i] = "idumb-" + name
	}
	return strings.Join(names, ", ")
}

// summaries returns the purpose of each agent of the full set by the name of its role. A host's
// agent uses it to choose whom to start. The core set's purposes are in their files.
func summaries() map[string]string {
	all := map[string]string{}
	for line := range strings.Lines(embedded("files/roles.txt")) {
		name, summary, _ := strings.Cut(strings.TrimSpace(line), ": ")
		all[name] = summary
	}
	return all
}

//go:embed files
var files embed.FS

// text is a shipped command or agent's profile, for any host.
type text struct {
	name        string
	description string
	body        string
}

// textsIn returns the shipped texts of a directory. tool is the prefix of iDumb's tool names in a
// host.
func textsIn(folder, host, tool string) (all []text) {
	found, _ := fs.Glob(files, path.Join("files", folder, "*.md")) // a constant pattern is valid
	for _, file := range found {
		data := strings.NewReplacer("{{tool}}", tool, "{{host}}", host).Replace(embedded(file))
		description, body, _ := strings.Cut(data, "\n")
		all = append(all, text{strings.TrimSuffix(path.Base(file), ".md"), description, body})
	}
	return all
}

// embedded returns an embedded file. It panics if the file is missing, which any test detects.
func embedded(file string) string {
	data, err := files.ReadFile(file)
	if err != nil {
		panic(err)
	}
	return string(data)
}
