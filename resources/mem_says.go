package resources

import "hash/fnv"

// MemSays is the words of a mem, as NormalText leaves them, and its topic, as NormalTopic
// does, each as a number that an index can keep; 0 for a mem without a topic. Mems that say
// the same have the same numbers; some others may as well, so that what has them must be
// looked at.
func MemSays(m *Mem) (words, topic uint64) {
	if key := NormalTopic(m.Spec.TopicKey); key != "" {
		topic = textNumber(key)
	}
	return textNumber(NormalText(m.Spec.Content)), topic
}

// textNumber is never 0.
func textNumber(text string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(text))
	return h.Sum64() | 1
}

// saidIndex is the places of mems by the numbers of MemSays.
type saidIndex struct{ words, topics map[uint64][]int }

func (s *Snapshot) indexSaid() saidIndex {
	shelf := s.shelves[Mems]
	x := saidIndex{make(map[uint64][]int, len(shelf.allNames())), map[uint64][]int{}}
	for n := range shelf.allNames() {
		words, topic, ok := shelf.says(n)
		if !ok {
			continue
		}
		x.words[words] = append(x.words[words], n)
		if topic != 0 {
			x.topics[topic] = append(x.topics[topic], n)
		}
	}
	return x
}

// says is MemSays of the n-th object, if that is a mem that can be read.
func (s *shelf) says(n int) (words, topic uint64, ok bool) {
	if s.deferred != nil {
		words, topic = s.deferred.Says(n)
		return words, topic, true
	}
	m, ok := s.objects[n].(*Mem)
	if ok {
		words, topic = MemSays(m)
	}
	return words, topic, ok
}

// MemsSaying returns the mems with these words, as NormalText leaves them, sorted by name. It
// reads no others.
func (s *Snapshot) MemsSaying(text string) []*Mem {
	return s.memsAt(s.indexes.said().words[textNumber(text)], func(m *Mem) bool { return NormalText(m.Spec.Content) == text })
}

// MemsOnTopic is Topic for whoever asks for one or two of them: it reads no mems of others.
func (s *Snapshot) MemsOnTopic(key string) []*Mem {
	topic := NormalTopic(key)
	return s.memsAt(s.indexes.said().topics[textNumber(topic)], func(m *Mem) bool { return NormalTopic(m.Spec.TopicKey) == topic })
}

func (s *Snapshot) memsAt(places []int, fits func(*Mem) bool) []*Mem {
	var mems []*Mem
	for _, n := range places {
		if m := s.MemAt(n); fits(m) {
			mems = append(mems, m)
		}
	}
	return mems
}
