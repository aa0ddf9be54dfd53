package packer

import (
	"fmt"
	"testing"

	"github.com/idumb-dev/idumb/resources"
)

// manyMems returns a repository with n mems of some forty words each, a tenth of
// which share words with the active task.
func manyMems(n int) Input {
	in := userAuth()
	topics := []string{"cache", "billing", "login form", "search", "deploy", "queue", "layout", "metrics", "backup", "mail"}
	for i := range n {
		topic := topics[i%len(topics)]
		in.Mems = append(in.Mems, memOf(fmt.Sprintf("mem-%05d", i), 1+i%20, 30+i%70, resources.Fresh, resources.MemSpec{
			Title: "About the " + topic, Tags: []string{topic, fmt.Sprintf("t%d", i%50)},
			Content: fmt.Sprintf("The %s of module %d keeps its settings in config/%d.yaml; restart the worker after a change, because it reads them only once. "+
				"Measured %d ms for the first request after that. Ask in the channel before you touch the defaults, others rely on them.", topic, i%97, i, i%500),
		}))
	}
	return in
}

// BenchmarkBuild packs from mems that are at hand, of a new question each time, and from ones that
// are not.
func BenchmarkBuild(b *testing.B) {
	for _, n := range []int{0, 100, 1000, 10000} {
		in := manyMems(n)
		for i := range in.Mems {
			in.Mems[i].Object.Origin.Revision = "1"
		}
		b.Run(fmt.Sprint("anew/", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Build(in)
			}
		})
		in.stock, in.Terse = stockOf(in.Mems, in.Anchors), true
		b.Run(fmt.Sprint("kept/", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				in.stock.version++
				Build(in)
			}
		})
	}
}

// BenchmarkBuildAgain packs what was packed before: what each reader costs when something
// changed that has nothing to do with the memory.
func BenchmarkBuildAgain(b *testing.B) {
	in := manyMems(10000)
	in.stock, in.Terse = stockOf(in.Mems, in.Anchors), true
	in.Previous = PreviousIn(Build(in).Bytes)
	b.ReportAllocs()
	for b.Loop() {
		Build(in)
	}
}
