use tanglewood::conllu::Block;
use tanglewood::spanning::Spanning;
use tanglewood_nn::Encoded;
use tanglewood_nn::Model;
use tanglewood_nn::training::{Data, Settings, Trainer};

use crate::sample;

fn model() -> Model {
    let block = sample::block();
    let sentences: Vec<_> = block.sentences().collect();
    let mut trainer =
        Trainer::new(Data::new(&sentences, &[]), sample::options(), Settings::default()).expect("a treebank");
    while trainer.step(0.5).is_some() {}
    trainer.model().clone()
}

fn encoded(model: &Model, text: &str) -> Encoded {
    let block = Block::of(text.as_bytes().to_vec());
    let sentence = block.sentences().next().expect("a sentence");
    model.encode(&sentence)
}

fn repeated(form: &str, words: usize) -> String {
    let rows: String = (1..=words).map(|id| format!("{id}\t{form}\t_\t_\t_\t_\t_\t_\t_\t_\n")).collect();
    rows + "\n"
}

#[test]
fn scores_do_not_depend_on_the_batch() {
    let model = model();
    let block = sample::block();
    let all: Vec<Encoded> = block.sentences().map(|sentence| model.encode(&sentence)).collect();
    let together: Vec<&Encoded> = all.iter().collect();
    let scores = model.scores(&together);
    let trees: Vec<_> = (0..all.len()).map(|at| Spanning::new().best(&scores.arcs(at)).ok()).collect();
    let trees: Vec<_> = trees.into_iter().map(|best| best.map(|best| best.tree)).collect();
    let labels = scores.labels_given(&trees);
    for (at, sentence) in all.iter().enumerate() {
        // To the last bit: it is by chance what is batched when input comes through a pipe.
        let alone = model.scores(&[sentence]);
        assert_eq!(alone.arcs(0), scores.arcs(at));
        let labels_alone = alone.labels_given(&trees[at..=at]);
        for word in 1..=sentence.len() {
            assert_eq!(labels_alone.of(0, word), labels.of(at, word));
        }
    }
}

#[test]
fn each_word_has_probabilities_of_heads_and_labels_that_sum_to_one() {
    let model = model();
    let block = sample::block();
    let sentence = model.encode(&block.sentences().next().expect("a sentence"));
    let scores = model.scores(&[&sentence]);
    let arcs = scores.arcs(0);
    for word in 1..=sentence.len() {
        let sum: f64 = (0..=sentence.len()).map(|head| arcs.get(head, word).exp()).sum();
        assert!((sum - 1.0).abs() < 1e-5);
    }
    let tree = Spanning::new().best(&arcs).expect("a tree").tree;
    for labels in scores.label_probabilities(0, &tree) {
        let sum: f32 = labels.iter().map(|label| label.exp()).sum();
        assert!((sum - 1.0).abs() < 1e-5);
    }
}

#[test]
fn any_sentence_gets_a_tree_and_labels() {
    let model = model();
    let texts = [
        repeated("Yes", 1),
        repeated("北京", 3),
        repeated("\u{0}\u{FFFD}🙂", 2),
        repeated("the", 2000),
        "\n".to_owned(),
    ];
    let all: Vec<Encoded> = texts.iter().map(|text| encoded(&model, text)).collect();
    let all: Vec<&Encoded> = all.iter().collect();
    let mut lengths = vec![0; all.len()];
    model.parse_each(
        &all,
        |scores| Spanning::new().best(scores.arcs()).ok().map(|best| best.tree),
        |at, parsed| {
            let (tree, labels) = parsed.expect("a tree");
            assert!(tree.has_single_root() && labels.len() == tree.len());
            lengths[at] = tree.len();
        },
    );
    assert_eq!(lengths, [1, 3, 2, 2000, 0]);
}

#[test]
fn empty_sentences_have_empty_scores() {
    let model = model();
    let (empty, one) = (Encoded::default(), encoded(&model, &repeated("Yes", 1)));
    for sentences in [vec![], vec![&empty], vec![&empty, &one, &empty]] {
        let scores = model.scores(&sentences);
        for (at, sentence) in sentences.iter().enumerate() {
            assert_eq!(scores.arcs(at).len(), sentence.len());
        }
        let labels = scores.labels(&vec![None; sentences.len()]);
        assert!(labels.iter().zip(&sentences).all(|(labels, sentence)| labels.len() == sentence.len()));
    }
}
