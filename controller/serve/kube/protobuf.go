package kube

import (
	"bytes"
	"encoding/binary"
)

// protobufType is the media type of protobuf requests. Clients use it only for
// reviews.
const protobufType = "application/vnd.kubernetes.protobuf"

// protobufMagic is the prefix of each such message.
var protobufMagic = [...]byte{'k', '8', 's', 0}

// Wire types of protobuf (protobuf.dev/programming-guides/encoding).
const (
	wireVarint  = 0
	wireFixed64 = 1
	wireBytes   = 2
	wireFixed32 = 5
)

// message maps field numbers to the last text or message of the field.
type message map[uint64][]byte

// decodeMessage decodes one message. It skips fields that are neither texts nor
// messages.
func decodeMessage(data []byte) (message, error) {
	fields := message{}
	for len(data) > 0 {
		tag, n := binary.Uvarint(data)
		if n <= 0 {
			return nil, errProtobuf()
		}
		data = data[n:]
		value, rest, ok := fieldValue(tag&7, data)
		if !ok {
			return nil, errProtobuf()
		}
		if tag&7 == wireBytes {
			fields[tag>>3] = value
		}
		data = rest
	}
	return fields, nil
}

// fieldValue splits the value of one field from the data. ok is false if the
// value is incomplete or the wire type is unknown.
func fieldValue(wire uint64, data []byte) (value, rest []byte, ok bool) {
	size := uint64(0)
	switch wire {
	case wireVarint:
		_, n := binary.Uvarint(data)
		if n <= 0 {
			return nil, nil, false
		}
		size = uint64(n)
	case wireFixed64:
		size = 8
	case wireFixed32:
		size = 4
	case wireBytes:
		length, n := binary.Uvarint(data)
		if n <= 0 {
			return nil, nil, false
		}
		size, data = length, data[n:]
	default:
		return nil, nil, false
	}
	if size > uint64(len(data)) {
		return nil, nil, false
	}
	return data[:size], data[size:], true
}

// errProtobuf returns the error for an invalid protobuf.
func errProtobuf() error { return badRequest("the protobuf of the request cannot be read") }

// decodeReview decodes a review: the magic, then runtime.Unknown{1: TypeMeta{1:
// apiVersion, 2: kind}, 2: raw}, where raw is the review and its field 2 is the
// spec.
func decodeReview(data []byte) (*review, error) {
	data, ours := bytes.CutPrefix(data, protobufMagic[:])
	if !ours {
		return nil, errProtobuf()
	}
	envelope, err := decodeMessage(data)
	if err != nil {
		return nil, err
	}
	kind, err := decodeMessage(envelope[1])
	if err != nil {
		return nil, err
	}
	raw, err := decodeMessage(envelope[2])
	if err != nil {
		return nil, err
	}
	spec, err := decodeMessage(raw[2])
	if err != nil {
		return nil, err
	}
	asked := &review{APIVersion: string(kind[1]), Kind: string(kind[2])}
	if asked.Kind == rulesReview {
		asked.Spec.Namespace = string(spec[1])
		return asked, nil
	}
	asked.Spec, err = decodeAccess(spec)
	return asked, err
}

// decodeAccess decodes the spec of an access review.
func decodeAccess(spec message) (s reviewSpec, err error) {
	if data, found := spec[1]; found {
		m, err := decodeMessage(data)
		if err != nil {
			return s, err
		}
		s.Resource = &resourceAttributes{string(m[1]), string(m[2]), string(m[3]), string(m[4]), string(m[5]), string(m[6]), string(m[7])}
	}
	if data, found := spec[2]; found {
		m, err := decodeMessage(data)
		if err != nil {
			return s, err
		}
		s.NonResource = &nonResourceAttributes{string(m[1]), string(m[2])}
	}
	return s, nil
}
