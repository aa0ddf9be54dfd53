package daemon

import (
	"fmt"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/controller/hooks"
	"github.com/idumb-dev/idumb/controller/inventory"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/project/documents"
)

// NotRuling reports the planning frameworks of files that were just written, if
// their documents are not authoritative: another framework is primary, or none
// is. Each framework is reported once per session.
func (t *CodeNotifier) NotRuling(files []string) (told []hooks.Snippet) {
	var candidates []string
	for _, file := range files {
		if documents.IsDocument(file) {
			candidates = append(candidates, file)
		}
	}
	if len(candidates) == 0 {
		return nil // most writes are of code
	}
	config, _ := t.root.Object(resources.Key{Kind: resources.Configs, Name: resources.ConfigName}, layout.Dir+"/config.json").(*resources.Config)
	primary := resources.EffectiveConfig(config).Planning.Primary
	t.files.IfCached(func(k inventory.Snapshot) {
		found := documents.Frameworks(k)
		rules, open := documents.FrameworkInUse(found, primary)
		for _, file := range candidates {
			owner := documents.FrameworkOf(found, file)
			if owner == "" || owner == rules || rules == "" && !open || slices.ContainsFunc(told, func(o hooks.Snippet) bool { return o.ID == ownerID(owner) }) {
				continue
			}
			told = append(told, notRuling(file, owner, rules, documents.Planning(found)))
		}
	})
	return told
}

// ownerID returns the receipt ID of a framework.
func ownerID(framework string) string { return "framework/" + framework }

// notRuling returns the notice that a file belongs to a planning framework whose plans are not in
// effect. rules is the framework in effect, empty if undecided; all lists the frameworks.
func notRuling(file, owner, rules string, all []string) hooks.Snippet {
	text := fmt.Sprintf("%s belongs to %s, but the plans of %s are in effect (planning.primary): write there, or ask the user.", admission.Plain(file), owner, rules)
	if rules == "" {
		text = fmt.Sprintf("%s belongs to %s, one of several planning frameworks here (%s), and planning.primary of .idumb/config.json names none of them: ask the user before you plan in it.",
			admission.Plain(file), owner, strings.Join(all, ", "))
	}
	return hooks.Snippet{ID: ownerID(owner), Truncated: true, Text: text}
}
