from ._tanglewood import Derivation as Derivation
from ._tanglewood import Document as Document
from ._tanglewood import Grammar as Grammar
from ._tanglewood import Parser as Parser
from ._tanglewood import Sentence as Sentence
from ._tanglewood import Token as Token
from ._tanglewood import Tree as Tree
from ._tanglewood import __version__ as __version__
from ._tanglewood import best_derivation as best_derivation
from ._tanglewood import coverage as coverage
from ._tanglewood import decode as decode
from ._tanglewood import entropy as entropy
from ._tanglewood import evaluate as evaluate
from ._tanglewood import kbest as kbest
from ._tanglewood import log_partition as log_partition
from ._tanglewood import log_partition_and_marginals as log_partition_and_marginals
from ._tanglewood import log_prob as log_prob
from ._tanglewood import marginals as marginals
from ._tanglewood import models as models
from ._tanglewood import oracle as oracle
from ._tanglewood import read_conllu as read_conllu
from ._tanglewood import sample as sample
from ._tanglewood import sample_treebank as sample_treebank
from ._tanglewood import sums_over as sums_over
from ._tanglewood import systems as systems
from ._tanglewood import write_conllu as write_conllu

__all__: list[str]
