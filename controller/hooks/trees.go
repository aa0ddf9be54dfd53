package hooks

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
)

// decide returns the verdict of admission. The plans of the session's working
// tree judge the call. Files in another working tree with plans are judged by
// the plans of that tree, see effects.Resolver.
func (h *handler) decide(call admission.Call) (v admission.Verdict) {
	for _, c := range h.asEach(call) {
		if v = h.decideOne(c); stops(v) {
			return v
		}
	}
	return v
}

// decideOne is decide for one agent.
func (h *handler) decideOne(call admission.Call) admission.Verdict {
	own, parts := byTree(call)
	v := h.plain(own, admission.Decide(own, h.repo))
	if stops(v) {
		return v
	}
	for _, part := range parts {
		if w := h.decideIn(part); stops(w) {
			return w
		}
	}
	return v
}

// stops reports whether a verdict prevents the call, or would in another mode.
func stops(v admission.Verdict) bool {
	return v.Outcome == admission.Deny || v.Outcome == admission.AskPerson || v.Outcome == admission.Record
}

// byTree splits a call into the part that the session's plans judge, and the
// files of each other working tree. A governed file of another tree is judged
// by the session's plans.
func byTree(call admission.Call) (own admission.Call, parts []admission.Call) {
	own = call
	if !slices.ContainsFunc(call.Paths, foreign) {
		return own, nil
	}
	own.Paths = nil
	for _, p := range call.Paths {
		if !foreign(p) {
			own.Paths = append(own.Paths, p)
			continue
		}
		i := slices.IndexFunc(parts, func(part admission.Call) bool { return part.Paths[0].Tree == p.Tree })
		if i < 0 {
			part := call
			part.Paths, part.Runs, part.Amounts, part.Planned, part.Changes, part.Gate, part.Adds, part.Loop = nil, nil, nil, nil, nil, nil, nil, nil
			part.Tools = "" // iDumb's tools change the plans of the session
			parts, i = append(parts, part), len(parts)
		}
		parts[i].Paths = append(parts[i].Paths, p)
	}
	return own, parts
}

// foreign reports whether the plans of another working tree judge a file.
func foreign(p admission.Path) bool { return p.Tree != "" && !admission.Governs(p) }

// decideIn judges the files of another working tree by its plans. A command in
// the advice names that tree.
func (h *handler) decideIn(part admission.Call) admission.Verdict {
	tree := part.Paths[0].Tree
	repo := Backend{}.open(Root(filepath.FromSlash(tree)), h.env, h.repo.now)
	there := &handler{repo: repo, event: h.event, env: h.env}
	v := there.plain(part, admission.Decide(part, repo))
	in := func(text string) string {
		return strings.ReplaceAll(text, "`idumb ", "`idumb -C "+resources.ShellWord(tree)+" ")
	}
	v.Reason.UseInstead, v.Reason.Otherwise = in(v.Reason.UseInstead), in(v.Reason.Otherwise)
	if v.Reason.What != "" {
		v.Reason.Evidence = append(slices.Clip(v.Reason.Evidence), "the plans of the working tree "+tree+" judge its files")
	}
	v.Task = "" // not a task of the session's plans
	return v
}
