package controller

import (
	"unique"

	"github.com/idumb-dev/idumb/resources"
)

// intern shares equal strings between objects, which saves a tenth of the
// memory of an average task. name is the object's name from its key. The caller
// must not have shared the object yet.
func intern(o resources.Object, name string) {
	o.Head().Metadata.Name = name
	for key, value := range o.Head().Metadata.Labels {
		o.Head().Metadata.Labels[key] = unique.Make(value).Value()
	}
	switch o := o.(type) {
	case *resources.Task:
		s := &o.Spec
		internWords(&s.WorkPlan, &s.Phase, &s.Parent, &s.State, &s.Priority, &s.DelegatedBy, &s.AssignedTo, &s.StaleAfter)
		internLists(s.AllowedTools, s.FileLocks, s.Paths)
	case *resources.Mem:
		s := &o.Spec
		internWords(&s.Type, &s.Shelf, &s.OriginTask, &s.StaleAfter, &s.Source)
		internLists(s.Tags)
	case *resources.Anchor:
		internWords(&o.Spec.Type, &o.Spec.Priority)
	}
}

// internWords replaces each text by a shared copy of an equal one.
func internWords(words ...*string) {
	for _, w := range words {
		if *w != "" {
			*w = unique.Make(*w).Value()
		}
	}
}

// internLists replaces each text of the lists by a shared copy of an equal one.
func internLists(lists ...[]string) {
	for _, l := range lists {
		for i := range l {
			internWords(&l[i])
		}
	}
}
