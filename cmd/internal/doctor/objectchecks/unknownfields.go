package objectchecks

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
)

// checkUnknownFields reports fields that this build does not support. They are kept and harm nothing, but they
// may be misspelt.
func (x *examination) checkUnknownFields() {
	const most = 8
	found := map[string]int{}
	for _, kind := range resources.Kinds() {
		for _, key := range x.List(kind.Plural) {
			if o, ok := x.Get(key); ok {
				for _, field := range fieldsOf(o) {
					found[kind.Plural+" "+field]++
				}
			}
		}
	}
	if len(found) == 0 {
		return
	}
	fields := slices.SortedFunc(maps.Keys(found), func(a, b string) int { return cmp.Or(found[b]-found[a], strings.Compare(a, b)) })
	var named []string
	for _, field := range fields[:min(most, len(fields))] {
		named = append(named, fmt.Sprintf("%s (%d)", field, found[field]))
	}
	if more := len(fields) - most; more > 0 {
		named = append(named, fmt.Sprintf("%d more", more))
	}
	notice(&x.findings.Newer, "unknown fields, kept unchanged (with the number of files): %s; upgrade idumb if a later version wrote them, otherwise remove them", strings.Join(named, ", "))
}

// fieldsOf returns the unsupported fields of an object's file, without duplicates.
func fieldsOf(o resources.Object) []string {
	var fields []string
	for _, u := range o.Head().Unknown() {
		fields = append(fields, u.Field())
	}
	slices.Sort(fields)
	return slices.Compact(fields)
}
